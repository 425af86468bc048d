/**
 * Limits: the number of places where a packed object stream may begin, the distance from there to its bytes, the size of the bytes, and their total
 * unpacked size.
 */
const mostStreams = 400
const longestDictionary = 400
const mostPacked = 500_000
const mostUnpacked = 16_000_000

/** One character a byte, so that positions in the text are positions in the file. */
const latin1 = (bytes: Uint8Array): string => new TextDecoder("latin1").decode(bytes)

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" }

/** A PDF string without its escapes (ISO 32000-1, 7.3.4.2). */
const unescaped = (text: string): string =>
  text.replaceAll(/\\(?:([0-7]{1,3})|(\r\n|[\s\S]))/g, (_all, octal: string | undefined, other: string | undefined) => {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff)
    return other === "\r\n" || other === "\n" || other === "\r" ? "" : escapes[other ?? ""] ?? other ?? ""
  })

const inHex = (text: string): string => text.replaceAll(/\s/g, "").replaceAll(/[0-9a-f]{2}/gi, (byte) => String.fromCharCode(Number.parseInt(byte, 16)))

/** The addresses of link annotations in a part of a file (ISO 32000-1, 12.6.4.7). */
const addressesIn = (text: string): ReadonlyArray<string> => [
  ...Array.from(text.matchAll(/\/URI\s*\(((?:[^\\()]|\\[\s\S]){1,8000})\)/g), ([, address = ""]) => unescaped(address)),
  ...Array.from(text.matchAll(/\/URI\s*<([0-9a-fA-F\s]{2,16000})>/g), ([, address = ""]) => inHex(address))
]

/** Unpacks up to the budget; damage after the link does not matter. */
const inflated = async (bytes: Uint8Array, budget: number): Promise<Uint8Array> => {
  const parts: Array<Uint8Array> = []
  let size = 0
  const reader = new Blob([Uint8Array.from(bytes)]).stream().pipeThrough(new DecompressionStream("deflate")).getReader()
  try {
    for (let read = await reader.read(); !read.done && size < budget; read = await reader.read()) {
      parts.push(read.value)
      size += read.value.length
    }
  } catch {
    // Damaged, or packed by another method: what was unpacked before is enough.
  }
  await reader.cancel().catch(() => undefined)
  const whole = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Where the bytes of packed object streams begin (ISO 32000-1, 7.5.7). */
const packedStreams = (text: string): ReadonlyArray<number> => {
  const starts: Array<number> = []
  let at = text.indexOf("/ObjStm")
  for (let looked = 0; at >= 0 && looked < mostStreams; looked += 1) {
    const [begin] = /stream\r?\n/.exec(text.slice(at, at + longestDictionary)) ?? []
    if (begin !== undefined) starts.push(text.indexOf(begin, at) + begin.length)
    at = text.indexOf("/ObjStm", at + 1)
  }
  return starts
}

/**
 * The addresses of a PDF's link annotations. Only annotations are searched: in the file itself, and in packed object streams (ISO 32000-1, 7.5.7),
 * which programs write when they save a PDF again.
 */
export const linksOfPdf = async (bytes: Uint8Array): Promise<ReadonlyArray<string>> => {
  const text = latin1(bytes)
  const found = [...addressesIn(text)]
  let budget = mostUnpacked
  for (const start of packedStreams(text)) {
    const packed = text.slice(start, start + mostPacked)
    const end = packed.indexOf("endstream")
    const unpacked = await inflated(bytes.subarray(start, start + (end < 0 ? packed.length : end)), budget)
    budget -= unpacked.length
    if (budget <= 0) break
    found.push(...addressesIn(latin1(unpacked)))
  }
  return [...new Set(found)]
}
