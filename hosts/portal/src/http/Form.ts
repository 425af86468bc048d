import { readBody } from "@overa/host-kit"
import { Result } from "effect"
import type { IncomingMessage } from "node:http"
import { withoutNul } from "./withoutNul.ts"

/** An uploaded file. */
export interface UploadedFile {
  readonly name: string
  readonly mediaType: string
  readonly bytes: Uint8Array
}

/** The form of the largest refund has some thousand fields. */
const mostFields = 5_000

/** The body is too large, cut off or not a form (`UnreadableForm`), or the portal has no room for it now (`Busy`). */
export class FormRefused extends Error {
  readonly _tag: "UnreadableForm" | "Busy"
  constructor(tag: "UnreadableForm" | "Busy", message: string) {
    super(message)
    this._tag = tag
  }
}

/** The content of a submitted form. */
export class Form {
  private readonly data: FormData
  private readonly files: ReadonlyMap<string, UploadedFile>

  private constructor(data: FormData, files: ReadonlyMap<string, UploadedFile>) {
    this.data = data
    this.files = files
  }

  /** A field's text without space around it; empty when it is absent. */
  text(name: string): string {
    return this.exact(name).trim()
  }

  /** A field's text as typed, for passwords. */
  exact(name: string): string {
    const value = this.data.get(name)
    return typeof value === "string" ? withoutNul(value).replaceAll("\r\n", "\n") : ""
  }

  /** Whether the form has the field at all. */
  has(name: string): boolean {
    return this.data.has(name)
  }

  /** All values of a name. */
  texts(name: string): ReadonlyArray<string> {
    return this.data.getAll(name).filter((value) => typeof value === "string").map(withoutNul)
  }

  /** Every text with its name, in the form's order. */
  entries(): ReadonlyArray<readonly [name: string, value: string]> {
    return [...this.data].flatMap(([name, value]) => typeof value === "string" ? [[name, withoutNul(value)] as const] : [])
  }

  /** A file; null when none was chosen. */
  file(name: string): UploadedFile | null {
    return this.files.get(name) ?? null
  }

  /** A form of texts alone. */
  static of(fields: ReadonlyArray<readonly [name: string, value: string]>): Form {
    const data = new FormData()
    for (const [name, value] of fields) data.append(name, value)
    return new Form(data, new Map())
  }

  /** Reads a request's body of at most `most` bytes, if `hasRoom` accepts them. Rejects with `FormRefused`. */
  static async read(request: IncomingMessage, most: number, hasRoom: (bytes: number) => boolean): Promise<Form> {
    const bytes = await bodyOf(request, most, hasRoom)
    const contentType = request.headers["content-type"] ?? ""
    if (fieldsOf(bytes, contentType) > mostFields) throw new FormRefused("UnreadableForm", `The form has more than ${mostFields} fields.`)
    try {
      const data = await new Response(bytes, { headers: { "content-type": contentType } }).formData()
      return new Form(data, await filesOf(data))
    } catch {
      throw new FormRefused("UnreadableForm", "The body is no form.")
    }
  }
}

const bodyOf = async (request: IncomingMessage, most: number, hasRoom: (bytes: number) => boolean): Promise<Buffer<ArrayBuffer>> => {
  const body = await readBody(request, most, hasRoom).catch(() => {
    throw new FormRefused("UnreadableForm", "The form ended early.")
  })
  if (Result.isSuccess(body)) return body.success as Buffer<ArrayBuffer>
  throw new FormRefused(body.failure.code === "RATE_LIMITED" ? "Busy" : "UnreadableForm", body.failure.message)
}

/** The largest possible number of fields in a body, found by counting the separators. */
const fieldsOf = (bytes: Buffer, contentType: string): number => {
  const boundary = /boundary="?([^";]{1,70})/.exec(contentType)?.[1]
  const between = boundary === undefined ? "&" : `--${boundary}`
  let fields = 1
  for (let at = bytes.indexOf(between); at >= 0 && fields <= mostFields; at = bytes.indexOf(between, at + between.length)) fields += 1
  return fields
}

const filesOf = async (data: FormData): Promise<ReadonlyMap<string, UploadedFile>> => {
  const files = new Map<string, UploadedFile>()
  for (const [name, value] of data) {
    if (typeof value === "string" || value.size === 0) continue
    files.set(name, { name: value.name, mediaType: value.type, bytes: new Uint8Array(await value.arrayBuffer()) })
  }
  return files
}
