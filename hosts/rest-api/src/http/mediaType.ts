import type { IncomingHttpHeaders } from "node:http"
import { TransportRefusal } from "@overa/host-kit"

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
