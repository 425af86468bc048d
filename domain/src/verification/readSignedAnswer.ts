import { Data, DateTime, Option, Result } from "effect"
import type { SignedAnswer, SignedTax } from "../documents/PfrResult.ts"
import type { CategoryType } from "../tax/TaxRateGroup.ts"
import { totalTax } from "../tax/taxByLabel.ts"
import type { PfrTime } from "../time/PfrTime.ts"
import { decodeVerificationLink, signatureLength, type VerificationLink } from "./VerificationLink.ts"
import { bytesFromBase64 } from "./bytes.ts"
import { decimalField, field, integerField, isJsonObject, type JsonObject, parseExactJson, textField } from "./exactJson.ts"

const dateAndTime = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?)(Z|[+-]\d{2}(?::?\d{2})?)?$/i

const belgradeOffset = (localTime: string, disambiguation: "earlier" | "later" | "compatible"): string | null =>
  Option.getOrNull(
    Option.map(
      DateTime.makeZoned(localTime, { timeZone: "Europe/Belgrade", adjustForTimeZone: true, disambiguation }),
      (time) => DateTime.formatIsoOffset(time).slice(-6)
    )
  )

/** The hour that comes twice when summer time ends is the first one, unless the signed time is known and lies in the second. */
const assumedOffset = (localTime: string, signedMillis: number | null): string | null => {
  const second = belgradeOffset(localTime, "later")
  return signedMillis !== null && second !== null && Date.parse(`${localTime}${second}`) === signedMillis
    ? second
    : belgradeOffset(localTime, "compatible")
}

const fullOffset = (offset: string): string =>
  offset.length === 3 ? `${offset}:00` : offset.includes(":") ? offset : `${offset.slice(0, 3)}:${offset.slice(3)}`

/** A signing time as written and as an instant, milliseconds since 1970 in UTC. */
export interface SdcTime {
  readonly time: PfrTime
  readonly millis: number
  /** Where the offset comes from: the text, or, because it has none, the time of Belgrade. */
  readonly offset: "WRITTEN" | "ASSUMED"
}

/**
 * The signing time with the V-PFR's own digits. Unusual spellings of the offset (`+0100`, `+01`, a space for the T) become the ISO form; a time
 * without offset is Belgrade's, as every V-PFR time is (V-PFR §3). Null when it is no time.
 *
 * @param signedMillis The instant that the signer wrote into the link, where it is known.
 */
export const readSdcTime = (text: string, signedMillis: number | null = null): SdcTime | null => {
  const match = dateAndTime.exec(text.trim())
  if (match === null) return null
  const local = `${match[1]}T${match[2]}`
  const written = match[3]
  const offset = written === undefined
    ? assumedOffset(local, signedMillis)
    : written.toUpperCase() === "Z"
    ? "Z"
    : fullOffset(written)
  if (offset === null) return null
  const time = `${local}${offset}` as PfrTime // matched above; the brand is on the type alone
  const millis = Date.parse(time)
  return Number.isNaN(millis) ? null : { time, millis, offset: written === undefined ? "ASSUMED" : "WRITTEN" }
}

const namedTypes: ReadonlyMap<string, CategoryType> = new Map([["taxonnet", 0], ["taxontotal", 1], ["amountperquantity", 2]])

/** A category's type, which real answers write as a number and others as a name (V-PFR §5); null when it is neither. */
export const readCategoryType = (category: JsonObject): CategoryType | null => {
  const number = integerField(category, "categoryType")
  if (number === 0 || number === 1 || number === 2) return number
  return namedTypes.get((textField(category, "categoryType") ?? "").toLowerCase()) ?? null
}

/** A text that is no complete signed answer. */
export class AnswerUnreadable extends Data.TaggedError("AnswerUnreadable")<{ readonly reason: string }> {}

/** A signed answer and the link in it, decoded once for all checks. */
export interface ReadAnswer {
  readonly answer: SignedAnswer
  /** The link, or why it could not be read. */
  readonly link: Result.Result<VerificationLink, { readonly reason: string }>
  /** The answer's own time, milliseconds since 1970 in UTC. */
  readonly sdcTimeMillis: number
  /** Whether the answer writes its time's offset, or Belgrade's was assumed. */
  readonly sdcTimeOffset: SdcTime["offset"]
  /** False when tax items are missing or malformed. */
  readonly taxesComplete: boolean
}

const unreadable = (reason: string) => Result.fail(new AnswerUnreadable({ reason }))

/** A backslash that is itself escaped begins no escape: the visible letters of an item's name may be the same. */
const escapedNul = /(?<!\\)(?:\\\\)*\\u0000/

const hasNulCharacter = (text: string): boolean => text.includes("\u0000") || (text.includes("\\u0000") && escapedNul.test(text))

/** The members that a signer in development has filled up with NULs. */
const placeOfNul = (body: unknown): string => {
  const members = isJsonObject(body) ? Object.entries(body).filter(([, value]) => typeof value === "string" && value.includes("\u0000")) : []
  return members.length === 0 ? "" : ` in ${members.map(([name]) => name).join(" and ")}`
}

const readTax = (value: unknown): SignedTax | null => {
  if (!isJsonObject(value)) return null
  const label = textField(value, "label")
  const amount = decimalField(value, "amount")
  const rate = decimalField(value, "rate")
  if (label === null || amount === null || rate === null) return null
  const category = textField(value, "categoryName") ?? ""
  return { label, category, categoryType: readCategoryType(value) ?? 0, rate, amount }
}

/** A receipt has one for each label; the tax authority's rates have some twenty labels. */
const mostTaxItems = 500

const readTaxes = (body: JsonObject): { readonly taxes: ReadonlyArray<SignedTax>; readonly complete: boolean } => {
  const items = field(body, "taxItems")
  if (!Array.isArray(items) || items.length > mostTaxItems) return { taxes: [], complete: false }
  const taxes = items.map(readTax).filter((tax) => tax !== null)
  return { taxes, complete: taxes.length === items.length }
}

/** Counters are unsigned 32-bit numbers in the signed link (V-PFR §7.1). */
const counter = (value: number | null): number | null => (value !== null && value >= 0 && value < 2 ** 32 ? value : null)

/** The two halves of `8652/11389ПП`, used when the counters are given only in print form (V-PFR §3). */
const readCounters = (body: JsonObject, link: VerificationLink | null) => {
  const printed = /^(\d+)\/(\d+)(\D*)$/.exec(textField(body, "invoiceCounter") ?? "")
  const half = (index: 1 | 2) => (printed === null ? null : counter(Number(printed[index])))
  const member = (name: string) => counter(integerField(body, name))
  return {
    transactionTypeCounter: member("transactionTypeCounter") ?? half(1) ?? link?.transactionTypeCounter ?? null,
    totalCounter: member("totalCounter") ?? half(2) ?? link?.totalCounter ?? null,
    invoiceCounterExtension: textField(body, "invoiceCounterExtension") ?? (printed?.[3]?.trim() || null)
  }
}

/** `requestedBy-signedBy-totalCounter` is 28 characters at most (V-PFR §3, §7.1); the rest is a margin. */
const longestInvoiceNumber = 60

/**
 * Why nothing here is signed; null where something is. A link contains its signature; without one, the member must hold a whole signature: one that was cut or
 * replaced by another text on its way proves no more than none.
 */
const unsignedReason = (signature: string | null, link: VerificationLink | null): string | null => {
  if (link !== null) return null
  if (signature === null) return "no signature"
  return bytesFromBase64(signature)?.length === signatureLength ? null : `a signature that is not ${signatureLength} bytes in base64, and no readable link`
}

/** The members that every receipt must have, or the name of the missing one. */
const readEssentials = (body: JsonObject, link: VerificationLink | null) => {
  const invoiceNumber = textField(body, "invoiceNumber")
  const verificationUrl = textField(body, "verificationUrl")
  const journal = textField(body, "journal")
  const sdcTime = readSdcTime(textField(body, "sdcDateTime") ?? "", link?.sdcTimeMillis)
  const totalAmount = decimalField(body, "totalAmount") ?? link?.totalAmount ?? null
  const requestedBy = textField(body, "requestedBy") ?? link?.requestedBy ?? invoiceNumber?.split("-")[0] ?? ""
  const signedBy = textField(body, "signedBy") ?? link?.signedBy ?? ""
  if (invoiceNumber === null || invoiceNumber.length > longestInvoiceNumber) return "invoiceNumber"
  if (sdcTime === null) return "sdcDateTime"
  if (requestedBy === "" || signedBy === "") return "requestedBy or signedBy"
  if (totalAmount === null) return "totalAmount"
  if (verificationUrl === null) return "verificationUrl"
  if (journal === null) return "journal"
  const pfr = { invoiceNumber, sdcTime: sdcTime.time, requestedBy, signedBy, totalAmount, verificationUrl, journal }
  return { pfr, sdcTime }
}

/**
 * Reads the body of a V-PFR answer defensively: a complete signed answer, or the reason why it is none. Unknown members are ignored, numbers are
 * exact. Without a signature, in its own member or in the link, nothing is a receipt (Decisions §4), unless a person has the receipt in hand.
 */
export const readSignedAnswer = (
  text: string,
  proof: "SIGNATURE" | "A_PERSONS_WORD" = "SIGNATURE"
): Result.Result<ReadAnswer, AnswerUnreadable> => {
  const body = parseExactJson(text)
  if (hasNulCharacter(text)) return unreadable(`a NUL character${placeOfNul(body)}, which no receipt has and no store of text can keep`)
  if (!isJsonObject(body)) return unreadable("not a JSON object")
  const decoded = decodeVerificationLink(textField(body, "verificationUrl") ?? "")
  const link = Result.isSuccess(decoded) ? decoded.success : null
  const essentials = readEssentials(body, link)
  if (typeof essentials === "string") return unreadable(`no usable ${essentials}`)
  const signature = textField(body, "signature")
  const unsigned = proof === "SIGNATURE" ? unsignedReason(signature, link) : null
  if (unsigned !== null) return unreadable(unsigned)
  const { taxes, complete } = readTaxes(body)
  return Result.succeed({
    answer: {
      text,
      pfr: {
        ...essentials.pfr,
        ...readCounters(body, link),
        totalTax: complete ? totalTax(taxes) : null
      },
      taxes,
      taxGroupRevision: integerField(body, "taxGroupRevision"),
      businessName: textField(body, "businessName"),
      tin: textField(body, "tin"),
      encryptedInternalData: textField(body, "encryptedInternalData"),
      signature
    },
    link: decoded,
    sdcTimeMillis: essentials.sdcTime.millis,
    sdcTimeOffset: essentials.sdcTime.offset,
    taxesComplete: complete
  })
}
