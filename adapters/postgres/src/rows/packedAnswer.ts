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
const percentEncoded: ReadonlyArray<readonly [encoded: string, character: string]> = [["%2B", "+"], ["%2F", "/"], ["%3D", "="]]
const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** The bytes of the first verification link in a text; null where it is not written in the usual form. `wholeAnswerSql` finds the same. */
const linkBytes = (text: string): Buffer | null => {
  const at = text.indexOf(memberBegins)
  if (at < 0) return null
  const start = at + memberBegins.length
  const [, payload] = text.slice(start, text.indexOf("\"", start)).split(parameterBegins)
  const decoded = percentEncoded.reduce((value, [encoded, character]) => value?.replaceAll(encoded, character), payload)
  return decoded !== undefined && base64.test(decoded) ? Buffer.from(decoded, "base64") : null
}

interface Repeated {
  readonly signature: string
  readonly encrypted: string
}

/** What a text's link repeats, in base64; null where its bytes have another layout. */
const repeatedIn = (text: string): Repeated | null => {
  const bytes = linkBytes(text)
  const signature = (bytes?.length ?? 0) - digestLength - signatureLength
  const encrypted = buyerBegins + (bytes?.[buyerBegins - 1] ?? 0)
  if (bytes === null || encrypted > signature) return null
  return { encrypted: bytes.toString("base64", encrypted, signature), signature: bytes.toString("base64", signature, signature + signatureLength) }
}

/** The text of an answer as `packAnswer` was given it. One that was changed by hand comes back as another text. */
export const unpackAnswer = (stored: string): string => {
  if (!stored.startsWith(mark) || stored.length > longestPacked) return stored
  const repeated = repeatedIn(stored)
  return stored.slice(mark.length).replaceAll(signatureSign, repeated?.signature ?? "").replaceAll(encryptedSign, repeated?.encrypted ?? "")
}

/** The text of an answer as it is stored: without what its link repeats, where that gives the same text back, and else unchanged. */
export const packAnswer = (text: string): string => {
  const repeated = text.length > longestPacked ? null : repeatedIn(text)
  if (repeated === null) return text
  const packed = `${mark}${text.replace(`"${repeated.signature}"`, `"${signatureSign}"`).replace(`"${repeated.encrypted}"`, `"${encryptedSign}"`)}`
  return packed.length <= text.length && unpackAnswer(packed) === text ? packed : text
}

const literal = (text: string): string => `U&'${[...text].map((character) => `\\${character.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")}'`

/** SQL: whether a stored text is a packed one. */
export const isPackedSql = (stored: string): string => `left(${stored}, ${mark.length}) = ${literal(mark)}`

/**
 * SQL: the text of an answer that `packAnswer` has just made, for a row that has to keep it whole. Not for stored texts: of one that was changed by hand, whose link may be unreadable, the
 * statement would fail. `offset 0` keeps the planner from decoding the link once for each place of its use.
 */
export const wholeAnswerSql = (packed: string): string => {
  const parameter = `split_part(split_part(split_part(${packed}, '${memberBegins}', 2), '"', 1), '${parameterBegins}', 2)`
  const payload = percentEncoded.reduce((value, [encoded, character]) => `replace(${value}, '${encoded}', '${character}')`, parameter)
  const inBase64 = (from: string, length: string): string => `translate(encode(substring(l.bytes from ${from} for ${length}), 'base64'), ${literal("\n")}, '')`
  const [buyer, tail] = [`get_byte(l.bytes, ${buyerBegins - 1})`, digestLength + signatureLength]
  const signature = inBase64(`length(l.bytes) - ${tail - 1}`, `${signatureLength}`)
  const encrypted = inBase64(`${buyerBegins + 1} + ${buyer}`, `length(l.bytes) - ${buyerBegins + tail} - ${buyer}`)
  const whole = `replace(replace(substr(${packed}, ${mark.length + 1}), ${literal(signatureSign)}, ${signature}), ${literal(encryptedSign)}, ${encrypted})`
  return `case when ${isPackedSql(packed)} then (select ${whole} from (select decode(${payload}, 'base64') as bytes offset 0) l) else ${packed} end`
}
