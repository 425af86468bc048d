import { isUtf8 } from "node:buffer"
import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib"
import { largestAnswerTo } from "./httpExchange.ts"

type Answer = { readonly headers: Readonly<Record<string, unknown>>; readonly body: Buffer; readonly largest?: number }

/** No compression is requested; a proxy in between may compress nevertheless. */
const unpack = new Map<string, (body: Buffer, maxOutputLength: number) => Buffer>([
  ["", (body: Buffer) => body],
  ["identity", (body) => body],
  ["gzip", (body, maxOutputLength) => gunzipSync(body, { maxOutputLength })],
  ["deflate", (body, maxOutputLength) => inflateSync(body, { maxOutputLength })],
  ["br", (body, maxOutputLength) => brotliDecompressSync(body, { maxOutputLength })]
])

/** A byte-order mark takes precedence over a header; without either it is UTF-8 (V-PFR §1.4). */
const charsetOf = ({ body, headers }: Answer): string => {
  if (body[0] === 0xff && body[1] === 0xfe) return "utf-16le"
  if (body[0] === 0xfe && body[1] === 0xff) return "utf-16be"
  if (body[0] === 0xef && body[1] === 0xbb) return "utf-8"
  return /charset\s*=\s*"?([\w-]+)/i.exec(String(headers["content-type"] ?? ""))?.[1] ?? "utf-8"
}

/** The answer's text; null when its bytes are not valid text in the charset it claims. */
export const answerText = (answer: Answer): string | null => {
  try {
    const encoding = String(answer.headers["content-encoding"] ?? "").trim().toLowerCase()
    const body = unpack.get(encoding)?.(answer.body, answer.largest ?? largestAnswerTo({ body: null }))
    if (body === undefined) return null
    const charset = charsetOf({ headers: answer.headers, body })
    // Nearly every answer; several times faster than creating a decoder for each.
    if (/^utf-?8$/i.test(charset)) return isUtf8(body) ? body.toString("utf8") : null
    return new TextDecoder(charset, { fatal: true }).decode(body)
  } catch {
    return null // zlib and TextDecoder report damage by throwing
  }
}
