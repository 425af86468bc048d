import { cosign, judgeWitnessing, type NoteKey, readWitnessRequest, type Sha256 } from "@overa/domain"
import { createHash } from "node:crypto"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import type { WitnessState } from "./WitnessState.ts"

export interface WitnessSettings {
  /** The witness's name, which its cosignatures begin with. */
  readonly name: string
  /** Ed25519, 32 bytes. */
  readonly secretKey: Uint8Array
  /** Keys of logs: a key's name is the origin of its log, or the beginning of the origins of all logs of an installation. */
  readonly logKeys: ReadonlyArray<NoteKey>
  readonly state: WitnessState
  /** POSIX seconds. */
  readonly now: () => number
}

export interface RunningWitness {
  readonly url: string
  readonly stop: () => Promise<void>
}

interface Answer {
  readonly status: number
  readonly body: string
  readonly mediaType?: string
}

/** A body holds a checkpoint and at most 63 hashes. */
const longestBody = 65_536

const nodeSha256: Sha256 = (bytes) => new Uint8Array(createHash("sha256").update(bytes).digest())

/** The body as text; null where it is longer than any request can be. */
const bodyOf = async (request: IncomingMessage): Promise<string | null> => {
  const parts: Array<Buffer> = []
  let length = 0
  for await (const part of request) {
    length += (part as Buffer).length
    if (length > longestBody) return null
    parts.push(part as Buffer)
  }
  return Buffer.concat(parts).toString("utf8")
}

/** The keys of a log: its own, and those of the installation that it belongs to. */
const keysOf = (keys: ReadonlyArray<NoteKey>, origin: string): ReadonlyArray<NoteKey> | null => {
  const found = keys.filter(({ name }) => name === origin || origin.startsWith(`${name}/`))
  return found.length === 0 ? null : found
}

/** Whatever follows the path, and whatever host stands before it. No parser of addresses reads a caller's target: for some it throws. */
const isAddCheckpoint = (target: string): boolean => /^(?:[A-Za-z]+:\/\/[^/?#]*)?\/add-checkpoint(?:[?#]|$)/.test(target)

const decide = async ({ logKeys, name, now, secretKey, state }: WitnessSettings, body: string | null): Promise<Answer> => {
  if (body === null) return { status: 413, body: "the body is too long\n" }
  const request = readWitnessRequest(body)
  if (request === null) return { status: 400, body: "the body is no request to cosign a checkpoint\n" }
  const decision = judgeWitnessing(request, (origin) => keysOf(logKeys, origin), (origin) => state.seen(origin), nodeSha256)
  if (decision._tag === "Refuse") return { status: decision.status, body: `${decision.reason}\n` }
  if (decision._tag === "Conflict") return { status: 409, body: `${decision.size}\n`, mediaType: "text/x.tlog.size" }
  await state.store(decision.checkpoint.origin, decision.checkpoint)
  return { status: 200, body: cosign(decision.text, name, secretKey, now()) }
}

/**
 * Serves `POST /add-checkpoint` (C2SP tlog-witness). Requests are decided one after the other, so that no two of them see the same state. A fault answers
 * 500 and cosigns nothing.
 */
export const serveWitness = (settings: WitnessSettings, address: { readonly host: string; readonly port: number }): Promise<RunningWitness> => {
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <A>(act: () => Promise<A>): Promise<A> => {
    const next = last.then(act)
    last = next.catch(() => undefined)
    return next
  }
  const answer = async (request: IncomingMessage): Promise<Answer> => {
    if (!isAddCheckpoint(request.url ?? "")) return { status: 404, body: "POST /add-checkpoint\n" }
    if (request.method !== "POST") return { status: 405, body: "POST /add-checkpoint\n" }
    const body = await bodyOf(request)
    return inTurn(() => decide(settings, body))
  }
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 10_000, maxHeaderSize: 16_384 }, (request, response) => {
    const send = ({ body, mediaType, status }: Answer): void =>
      void response.writeHead(status, { "Content-Type": mediaType ?? "text/plain; charset=utf-8", ...(status === 413 ? { Connection: "close" } : {}) }).end(body)
    answer(request).then(send, (error: unknown) => send({ status: 500, body: `${error instanceof Error ? error.message : "a fault"}\n` }))
  })
  server.maxConnections = 64
  return new Promise((resolve, reject) => {
    server.once("error", reject)
    server.listen(address.port, address.host, () =>
      resolve({
        url: `http://${address.host}:${(server.address() as AddressInfo).port}`,
        stop: () =>
          new Promise((stopped) => {
            server.close(() => stopped())
            server.closeAllConnections()
          })
      }))
  })
}
