import { decodeCsvText } from "@overa/adapter-spreadsheets"
import { RequestFaults } from "@overa/domain"
import { Result } from "effect"
import type { IncomingMessage } from "node:http"
import { TransportRefusal } from "./TransportRefusal.ts"

/** The caller's connection ended before the body was whole: there is nobody to answer. */
export class CallerLeft extends Error {}

/** Asked for more room this many bytes at a time, where the length was not declared. */
const step = 65_536

/**
 * The request's bytes, at most `limit` of them. Reading stops at the limit, or where the host has no room for more, so that no bodies can
 * fill the memory; the rest is left on the connection, which the answer then closes.
 *
 * @param hasRoom Whether the host takes a body of so many bytes now; asked before the first one is read.
 */
export const readBody = (
  request: IncomingMessage,
  limit: number,
  hasRoom: (bytes: number) => boolean = () => true
): Promise<Result.Result<Buffer, TransportRefusal>> => {
  const declared = Number(request.headers["content-length"] ?? 0)
  if (declared > limit) return Promise.resolve(Result.fail(tooLarge(limit)))
  if (!hasRoom(declared)) return Promise.resolve(Result.fail(noRoom()))
  let room = declared
  return new Promise((resolve, reject) => {
    const chunks: Array<Buffer> = []
    let size = 0
    const take = (chunk: Buffer) => {
      size += chunk.length
      if (size > room) room = Math.min(limit, size + step)
      const refusal = size > limit ? tooLarge(limit) : hasRoom(room) ? null : noRoom()
      if (refusal === null) return void chunks.push(chunk)
      request.pause()
      request.off("data", take)
      resolve(Result.fail(refusal))
    }
    request.on("data", take)
    request.once("end", () => resolve(Result.succeed(Buffer.concat(chunks, size))))
    request.once("error", () => reject(new CallerLeft()))
    request.once("close", () => request.complete || reject(new CallerLeft()))
  })
}

const tooLarge = (limit: number) =>
  new TransportRefusal({ code: "REQUEST_TOO_LARGE", message: `The body is larger than ${limit} bytes.`, closes: true })

const noRoom = () =>
  new TransportRefusal({
    code: "RATE_LIMITED",
    message: "The bodies of this organization's requests under way fill what it may bring in at once; nothing was done. Wait and repeat the same request.",
    headers: { "Retry-After": "1" },
    closes: true
  })

const strictUtf8 = new TextDecoder("utf-8", { fatal: true })

/** The body as text: valid UTF-8, one leading byte-order mark skipped (Decisions §1). */
export const textOfBody = (bytes: Uint8Array): Result.Result<string, TransportRefusal> => {
  try {
    return Result.succeed(strictUtf8.decode(bytes))
  } catch {
    return Result.fail(new TransportRefusal({ code: "MALFORMED_JSON", message: "The body is not valid UTF-8." }))
  }
}

/** A CSV file's text. In another character set its reader would see other letters, so it is refused with how to save it (Decisions §11). */
export const textOfCsv = (bytes: Uint8Array): Result.Result<string, RequestFaults> =>
  Result.mapError(decodeCsvText(bytes), (message) => new RequestFaults({ faults: [{ pointer: "", key: "Body", message }] }))
