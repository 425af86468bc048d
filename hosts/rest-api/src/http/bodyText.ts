import { decodeCsvText } from "@overa/adapter-spreadsheets"
import { RequestFaults } from "@overa/domain"
import { TransportRefusal } from "@overa/host-kit"
import { Result } from "effect"
import type { IncomingHttpHeaders } from "node:http"

/**
 * Refuses a body that is not of the operation's media type, in UTF-8 and uncompressed: any `Content-Encoding` is refused (Decisions §1), so that a
 * few compressed bytes cannot become gigabytes. Null when the body is accepted.
 */
export const mediaTypeRefusal = (headers: IncomingHttpHeaders, mediaType: string): TransportRefusal | null => {
  if (headers["content-encoding"] !== undefined) return refuse("Send the body without Content-Encoding.")
  const [type = "", ...parameters] = (headers["content-type"] ?? "").split(";").map((part) => part.trim().toLowerCase())
  if (type !== mediaType) return refuse(`Content-Type must be ${mediaType}.`)
  const charset = parameters.find((parameter) => parameter.startsWith("charset="))?.slice("charset=".length)
  return charset === undefined || charset === "utf-8" || charset === "\"utf-8\"" ? null : refuse("The charset must be UTF-8.")
}

const refuse = (message: string) => new TransportRefusal({ code: "UNSUPPORTED_MEDIA_TYPE", message })

const strictUtf8 = new TextDecoder("utf-8", { fatal: true })

/** The body as text: valid UTF-8, one leading byte-order mark skipped (Decisions §1). */
export const textOfBody = (bytes: Uint8Array): Result.Result<string, TransportRefusal> => {
  try {
    return Result.succeed(strictUtf8.decode(bytes))
  } catch {
    return Result.fail(new TransportRefusal({ code: "MALFORMED_JSON", message: "The body is not valid UTF-8." }))
  }
}

/**
 * A CSV file's text. A file in another character set would be read with wrong letters, so it is refused with instructions how to save it (Decisions
 * §11).
 */
export const textOfCsv = (bytes: Uint8Array): Result.Result<string, RequestFaults> =>
  Result.mapError(decodeCsvText(bytes), (message) => new RequestFaults({ faults: [{ pointer: "", key: "Body", message }] }))
