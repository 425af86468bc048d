import { decodeCsvText } from "@overa/adapter-spreadsheets"
import { RequestFaults } from "@overa/domain"
import { Result } from "effect"
import type { IncomingMessage } from "node:http"
import { TransportRefusal } from "./TransportRefusal.ts"

/** The caller's connection ended before the body was whole: there is nobody to answer. */
export class CallerLeft extends Error {}

/**
 * The request's bytes, at most `limit` of them. Reading stops at the limit, so that no body can fill the memory; the rest is left
 * on the connection, which the answer then closes.
 */
export const readBody = (
  request: IncomingMessage,
  limit: number
): Promise<Result.Result<Buffer, TransportRefusal>> => {
  const declared = Number(request.headers["content-length"] ?? 0)
  if (declared > limit) return Promise.resolve(Result.fail(tooLarge(limit)))
  return new Promise((resolve, reject) => {
    const chunks: Array<Buffer> = []
    let size = 0
    const take = (chunk: Buffer) => {
      size += chunk.length
      if (size <= limit) chunks.push(chunk)
      else {
        request.pause()
        request.off("data", take)
        resolve(Result.fail(tooLarge(limit)))
      }
    }
    request.on("data", take)
    request.once("end", () => resolve(Result.succeed(Buffer.concat(chunks, size))))
    request.once("error", () => reject(new CallerLeft()))
    request.once("close", () => request.complete || reject(new CallerLeft()))
  })
}

const tooLarge = (limit: number) =>
  new TransportRefusal({ code: "REQUEST_TOO_LARGE", message: `The body is larger than ${limit} bytes.`, closes: true })

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
