import { Result } from "effect"
import type { IncomingMessage } from "node:http"
import { TransportRefusal } from "./TransportRefusal.ts"

/** The caller's connection ended before the body was read: there is nobody to answer. */
export class CallerLeft extends Error {}

/** How much of a refused body is read and discarded, so that its sender can read the answer. */
const discarded = { bytes: 16_777_216, millis: 1_000 }

/** Where the length was not declared, capacity is requested in steps of this many bytes. */
const step = 65_536

/**
 * The request's bytes, at most `limit` of them. Storing stops at the limit, or where the host has no capacity for more, so that bodies cannot fill
 * the memory; a bounded part of the rest is discarded, and the answer closes the connection.
 *
 * @param hasRoom Whether the host accepts a body of so many bytes now; called before the first one is read.
 */
export const readBody = (
  request: IncomingMessage,
  limit: number,
  hasRoom: (bytes: number) => boolean = () => true
): Promise<Result.Result<Buffer, TransportRefusal>> => {
  // A stream that has closed says nothing more to those who listen late, even if the whole body had arrived.
  if (request.destroyed) return Promise.reject(new CallerLeft())
  const declared = Number(request.headers["content-length"] ?? 0)
  const refused = (refusal: TransportRefusal) => discardRest(request).then(() => Result.fail(refusal))
  if (declared > limit) return refused(tooLarge(limit))
  if (!hasRoom(declared)) return refused(noRoom())
  let room = declared
  return new Promise((resolve, reject) => {
    const chunks: Array<Buffer> = []
    let size = 0
    const take = (chunk: Buffer) => {
      size += chunk.length
      if (size > room) room = Math.min(limit, size + step)
      const refusal = size > limit ? tooLarge(limit) : hasRoom(room) ? null : noRoom()
      if (refusal === null) return void chunks.push(chunk)
      request.off("data", take)
      chunks.length = 0
      resolve(refused(refusal))
    }
    request.on("data", take)
    // A close before "end": nothing more comes, also if the whole body has arrived.
    const left = () => reject(new CallerLeft())
    request.once("error", left)
    request.once("close", left)
    request.once("end", () => {
      request.off("close", left)
      resolve(Result.succeed(Buffer.concat(chunks, size)))
    })
  })
}

/** A connection that is closed with unread bytes is reset, and a caller that is still sending would lose the answer. */
const discardRest = (request: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    let left = discarded.bytes
    const done = () => {
      clearTimeout(timer)
      request.pause()
      resolve()
    }
    const timer = setTimeout(done, discarded.millis)
    request.on("data", (chunk: Buffer) => {
      left -= chunk.length
      if (left < 0) done()
    })
    request.once("end", done)
    request.once("close", done)
    request.once("error", done)
    request.resume()
  })

const tooLarge = (limit: number) =>
  new TransportRefusal({ code: "REQUEST_TOO_LARGE", message: `The body is larger than ${limit} bytes.`, closes: true })

const noRoom = () =>
  new TransportRefusal({
    code: "RATE_LIMITED",
    message: "The bodies of this organization's requests under way fill what it may bring in at once; nothing was done. Wait and repeat the same request.",
    headers: { "Retry-After": "1" },
    closes: true
  })
