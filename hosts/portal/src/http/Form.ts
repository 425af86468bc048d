import type { IncomingMessage } from "node:http"

/** An uploaded file. */
export interface UploadedFile {
  readonly name: string
  readonly mediaType: string
  readonly bytes: Uint8Array
}

/** The usual limit of a body: a logo or an element's archive, and some fields. */
const mostBytes = 1_048_576

/** The body is too large, cut short, or no form. */
export class UnreadableForm extends Error {}

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
    return typeof value === "string" ? value.replaceAll("\r\n", "\n") : ""
  }

  /** Whether the form has the field at all. */
  has(name: string): boolean {
    return this.data.has(name)
  }

  /** All values of a name. */
  texts(name: string): ReadonlyArray<string> {
    return this.data.getAll(name).filter((value): value is string => typeof value === "string")
  }

  /** A file; null when none was chosen. */
  file(name: string): UploadedFile | null {
    return this.files.get(name) ?? null
  }

  /** Reads a request's body. Rejects with `UnreadableForm`. */
  static async read(request: IncomingMessage, most: number = mostBytes): Promise<Form> {
    const bytes = await bodyOf(request, most)
    const contentType = request.headers["content-type"] ?? ""
    try {
      const data = await new Response(bytes, { headers: { "content-type": contentType } }).formData()
      return new Form(data, await filesOf(data))
    } catch {
      throw new UnreadableForm("The body is no form.")
    }
  }
}

const bodyOf = async (request: IncomingMessage, most: number): Promise<Uint8Array<ArrayBuffer>> => {
  const chunks: Array<Buffer> = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > most) throw new UnreadableForm(`The form is larger than ${most} bytes.`)
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks, size))
}

const filesOf = async (data: FormData): Promise<ReadonlyMap<string, UploadedFile>> => {
  const files = new Map<string, UploadedFile>()
  for (const [name, value] of data) {
    if (typeof value === "string" || value.size === 0) continue
    files.set(name, { name: value.name, mediaType: value.type, bytes: new Uint8Array(await value.arrayBuffer()) })
  }
  return files
}
