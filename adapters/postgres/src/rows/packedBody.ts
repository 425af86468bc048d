import { deflateRawSync, inflateRawSync } from "node:zlib"

// A request's body and the content read from it say the same thing twice. The body is stored deflated with the content as its dictionary: what
// is left is what the content does not say (spelling of numbers, order, white space), a few hundred bytes, and it comes back byte for byte.

/** The dictionary of deflate reaches so far; a longer body is stored as it is. */
const longestPacked = 32_768

const effort = { level: 1, windowBits: 15, memLevel: 6 } as const

/** The body packed against the stored content; null where it is not worth it. */
export const packBody = (body: string, content: string): Uint8Array | null => {
  if (body.length === 0 || body.length > longestPacked) return null
  const packed = deflateRawSync(body, { ...effort, dictionary: Buffer.from(content) })
  return packed.length < body.length ? packed : null
}

/** What was packed. */
export const unpackBody = (packed: Uint8Array, content: string): string =>
  inflateRawSync(packed, { dictionary: Buffer.from(content) }).toString("utf8")
