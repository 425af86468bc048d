/**
 * A DER writer for what certificates and PFX files need. Reading is left to Node and to the programs that open the result.
 *
 * Example: `sequence(objectIdentifier("2.5.4.3"), utf8String("Роот"))`.
 */
export const tagged = (tag: number, ...contents: ReadonlyArray<Uint8Array>): Buffer => {
  const content = Buffer.concat(contents)
  return Buffer.concat([Buffer.from([tag]), lengthOctets(content.length), content])
}

const lengthOctets = (length: number): Buffer => {
  if (length < 0x80) return Buffer.from([length])
  const bytes: Array<number> = []
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256)
  return Buffer.from([0x80 | bytes.length, ...bytes])
}

const base128 = (value: bigint): ReadonlyArray<number> => {
  const digits = [Number(value & 0x7fn)]
  for (let rest = value >> 7n; rest > 0n; rest >>= 7n) digits.unshift(Number(rest & 0x7fn) | 0x80)
  return digits
}

export const sequence = (...parts: ReadonlyArray<Uint8Array>): Buffer => tagged(0x30, ...parts)
export const setOf = (...parts: ReadonlyArray<Uint8Array>): Buffer => tagged(0x31, ...parts)
export const octetString = (...parts: ReadonlyArray<Uint8Array>): Buffer => tagged(0x04, ...parts)
export const bitString = (bytes: Uint8Array, unusedBits = 0): Buffer => tagged(0x03, Buffer.from([unusedBits]), bytes)
export const utf8String = (text: string): Buffer => tagged(0x0c, Buffer.from(text, "utf8"))
export const printableString = (text: string): Buffer => tagged(0x13, Buffer.from(text, "latin1"))
export const bmpString = (text: string): Buffer => tagged(0x1e, Buffer.from(text, "utf16le").swap16())
export const nullValue: Buffer = tagged(0x05)
export const trueValue: Buffer = tagged(0x01, Buffer.from([0xff]))

/** A non-negative integer: a leading zero octet keeps the sign bit clear (X.690 §8.3). */
export const integer = (value: bigint | number | Uint8Array): Buffer => {
  const hex = value instanceof Uint8Array ? Buffer.from(value).toString("hex") : BigInt(value).toString(16)
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, "hex")
  return tagged(0x02, (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes)
}

export const objectIdentifier = (dotted: string): Buffer => {
  const [first = 0n, second = 0n, ...rest] = dotted.split(".").map(BigInt)
  return tagged(0x06, Buffer.from([first * 40n + second, ...rest].flatMap(base128)))
}

/** UTCTime until 2049, GeneralizedTime after (RFC 5280 §4.1.2.5). */
export const time = (milliseconds: number): Buffer => {
  const digits = new Date(milliseconds).toISOString().replace(/\.\d{3}|[-:T]/g, "")
  return digits < "2050" ? tagged(0x17, Buffer.from(digits.slice(2), "latin1")) : tagged(0x18, Buffer.from(digits, "latin1"))
}

/** A context-specific constructed tag, `[number] EXPLICIT`. */
export const explicit = (number: number, ...parts: ReadonlyArray<Uint8Array>): Buffer => tagged(0xa0 | number, ...parts)

/** A context-specific primitive tag, `[number] IMPLICIT`. */
export const implicit = (number: number, bytes: Uint8Array): Buffer => tagged(0x80 | number, bytes)
