import { deflateRawSync, inflateRawSync } from "node:zlib"

// A request's body and the content decoded from it are nearly the same data. The body is stored deflated with the content as its dictionary: what
// remains is what the content lacks (spelling of numbers, order, white space), a few hundred bytes, and the body is restored byte for byte.

/** Deflate's dictionary is no longer than this; a longer body is stored unpacked. */
const longestPacked = 32_768

const effort = { level: 1, windowBits: 15, memLevel: 6 } as const

/** The body packed against the stored content; null where packing saves nothing. */
export const packBody = (body: string, content: string): Uint8Array | null => {
  if (body.length === 0 || body.length > longestPacked) return null
  const packed = deflateRawSync(body, { ...effort, dictionary: Buffer.from(content) })
  return packed.length < body.length ? packed : null
}

// A body usually fits into one piece; the default size of 16 kB would be allocated for every body.
const unpacking = { chunkSize: 4_096 } as const

/** The bytes that were packed. */
export const unpackBodyBytes = (packed: Uint8Array, content: string): Uint8Array => inflateRawSync(packed, { ...unpacking, dictionary: Buffer.from(content) })

/** The body that was packed. */
export const unpackBody = (packed: Uint8Array, content: string): string => Buffer.from(unpackBodyBytes(packed, content)).toString("utf8")
