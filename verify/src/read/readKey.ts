import { type NoteKey, readVerifierKey, type SignerKey } from "@overa/domain"

const pem = /-----BEGIN ((?:RSA )?PUBLIC KEY|CERTIFICATE)-----([A-Za-z0-9+/=\s]+)-----END \1-----/
/** DER of the algorithm identifier of RSA, which precedes the key in certificates and public keys (RFC 8017, appendix A.1). */
const rsaAlgorithm = "300d06092a864886f70d0101010500"
const bits = 2_048

interface Element {
  readonly start: number
  readonly end: number
}

/** The position of the content of the DER element at `at`; null where there is no whole element. */
const elementAt = (bytes: Uint8Array, at: number): Element | null => {
  const first = bytes[at + 1]
  if (first === undefined) return null
  const lengthBytes = first < 0x80 ? 0 : first - 0x80
  if (lengthBytes > 3) return null
  let length = lengthBytes === 0 ? first : 0
  for (let next = 0; next < lengthBytes; next += 1) length = length * 256 + (bytes[at + 2 + next] ?? 0)
  const start = at + 2 + lengthBytes
  return start + length <= bytes.length ? { start, end: start + length } : null
}

const hexOf = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")

/** The modulus of an RSAPublicKey: the first INTEGER of its SEQUENCE. */
const modulusAt = (bytes: Uint8Array, at: number): bigint | null => {
  const sequence = bytes[at] === 0x30 ? elementAt(bytes, at) : null
  const integer = sequence === null || bytes[sequence.start] !== 2 ? null : elementAt(bytes, sequence.start)
  if (integer === null) return null
  const modulus = BigInt(`0x${hexOf(bytes.subarray(integer.start, integer.end))}`)
  return modulus.toString(2).length === bits ? modulus : null
}

const modulusOf = (der: Uint8Array, isBare: boolean): bigint | null => {
  if (isBare) return modulusAt(der, 0)
  const found = hexOf(der).indexOf(rsaAlgorithm)
  // After the algorithm: BIT STRING, its length, and a byte that says that there are no unused bits.
  const string = found < 0 ? null : elementAt(der, found / 2 + rsaAlgorithm.length / 2)
  return string === null ? null : modulusAt(der, string.start + 1)
}

/** An RSA-2048 public key or certificate in PEM; null where the text is none. */
export const readSignerKey = (name: string, text: string): SignerKey | null => {
  const [, kind, encoded] = pem.exec(text) ?? []
  if (kind === undefined || encoded === undefined) return null
  try {
    const der = Uint8Array.from(atob(encoded.replaceAll(/\s/g, "")), (char) => char.charCodeAt(0))
    const modulus = modulusOf(der, kind === "RSA PUBLIC KEY")
    return modulus === null ? null : { name, modulus }
  } catch {
    return null // atob has no other way to say "not base64"
  }
}

/** The verifier keys of journal logs in a text, one a line, as `/.well-known/overa-journal-key` answers them; empty for any other text. */
export const readLogKeys = (text: string): ReadonlyArray<NoteKey> => {
  const keys = text.trim().split("\n").map(readVerifierKey)
  return keys.every((key) => key !== null) ? keys : []
}
