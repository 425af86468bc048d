// A V-PFR's answer says its signature and its encrypted data twice: as members, and in the bytes of its verification link (V-PFR §7.1). Nothing compresses them, and they are a third of
// what a compressed answer takes. So the members' values are left out of the stored text and written again from the link when it is read (docs/adr/0409).

/** A longer answer is stored as it is: what its link repeats is little of it. */
const longestPacked = 32_768

/** Begins a packed text; no text of JSON begins with it. */
const mark = "\u0001"
const signatureSign = "\u0002"
const encryptedSign = "\u0003"

/** The link's layout: the buyer's length is the byte before the buyer, and the encrypted data lies between buyer and signature. */
const buyerBegins = 44
const digestLength = 16
const signatureLength = 256

const memberBegins = "\"verificationUrl\":\""
const parameterBegins = "?vl="

/** The first verification link in a text; empty where there is none. */
const linkIn = (text: string): string => {
  const at = text.indexOf(memberBegins)
  const start = at + memberBegins.length
  return at < 0 ? "" : text.slice(start, text.indexOf("\"", start))
}

const decoded = (payload: string): string | null => {
  try {
    return decodeURIComponent(payload)
  } catch {
    return null // a broken percent sequence: decodeURIComponent has no other way to say so
  }
}

/** The bytes of a link; null where it is not written in the usual form: each character that can be percent-encoded is, in capital letters. */
const bytesOf = (link: string): Buffer | null => {
  const [, payload = ""] = link.split(parameterBegins)
  const text = decoded(payload)
  const bytes = text === null ? null : Buffer.from(text, "base64")
  return text !== null && bytes?.toString("base64") === text && encodeURIComponent(text) === payload ? bytes : null
}

interface Repeated {
  readonly signature: string
  readonly encrypted: string
}

/** What a link repeats, in base64; null where its bytes have another layout. */
const repeatedIn = (link: string): Repeated | null => {
  const bytes = bytesOf(link)
  const signature = (bytes?.length ?? 0) - digestLength - signatureLength
  const encrypted = buyerBegins + (bytes?.[buyerBegins - 1] ?? 0)
  if (bytes === null || encrypted >= signature) return null
  return { encrypted: bytes.toString("base64", encrypted, signature), signature: bytes.toString("base64", signature, signature + signatureLength) }
}

const wholeOf = (packed: string, { encrypted, signature }: Repeated): string =>
  packed.slice(mark.length).replaceAll(signatureSign, signature).replaceAll(encryptedSign, encrypted)

/** The text of an answer as `packAnswer` was given it. One that was changed by hand comes back as another text. */
export const unpackAnswer = (stored: string): string => {
  if (!stored.startsWith(mark) || stored.length > longestPacked) return stored
  return wholeOf(stored, repeatedIn(linkIn(stored)) ?? { signature: "", encrypted: "" })
}

/** The text of an answer as it is stored: without what its link repeats, where that gives the same text back, and else unchanged. */
export const packAnswer = (text: string): string => {
  const link = linkIn(text)
  const repeated = text.length > longestPacked ? null : repeatedIn(link)
  if (repeated === null) return text
  const packed = `${mark}${text.replace(`"${repeated.signature}"`, `"${signatureSign}"`).replace(`"${repeated.encrypted}"`, `"${encryptedSign}"`)}`
  // With the same link, `unpackAnswer` writes the same values.
  return packed.length <= text.length && linkIn(packed) === link && wholeOf(packed, repeated) === text ? packed : text
}

const literal = (text: string): string => `U&'${[...text].map((character) => `\\${character.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")}'`

/** SQL: whether a stored text is a packed one. */
export const isPackedSql = (stored: string): string => `left(${stored}, ${mark.length}) = ${literal(mark)}`
