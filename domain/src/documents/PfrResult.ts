import { Schema } from "effect"
import { PfrTime } from "../time/PfrTime.ts"

/** What the V-PFR signed. Source: Spec, Resources, PfrResult. */
export const PfrResult = Schema.Struct({
  invoiceNumber: Schema.String,
  sdcTime: PfrTime,
  requestedBy: Schema.String,
  signedBy: Schema.String,
  transactionTypeCounter: Schema.NullOr(Schema.Int),
  totalCounter: Schema.NullOr(Schema.Int),
  invoiceCounterExtension: Schema.NullOr(Schema.String),
  totalAmount: Schema.BigDecimal,
  totalTax: Schema.NullOr(Schema.BigDecimal),
  verificationUrl: Schema.String,
  journal: Schema.String
})
export interface PfrResult extends Schema.Schema.Type<typeof PfrResult> {}

/** A tax amount as signed, four decimals (V-PFR §3). */
export const SignedTax = Schema.Struct({
  label: Schema.String,
  category: Schema.String,
  categoryType: Schema.Int,
  rate: Schema.BigDecimal,
  amount: Schema.BigDecimal
})
export interface SignedTax extends Schema.Schema.Type<typeof SignedTax> {}

/** A complete signed answer: its exact text, and what was read from it. */
export const SignedAnswer = Schema.Struct({
  /** The answer's body byte for byte, kept as evidence. */
  text: Schema.String,
  pfr: PfrResult,
  taxes: Schema.Array(SignedTax),
  taxGroupRevision: Schema.NullOr(Schema.Int),
  businessName: Schema.NullOr(Schema.String),
  tin: Schema.NullOr(Schema.String),
  /** Base64 as in the answer; null when the V-PFR left it out. */
  encryptedInternalData: Schema.NullOr(Schema.String),
  signature: Schema.NullOr(Schema.String)
})
export interface SignedAnswer extends Schema.Schema.Type<typeof SignedAnswer> {}

/** Which fields of the caller's request the V-PFR refused: at most 10 items of at most 5 codes, paths up to 120 characters. */
export const PfrRejection = Schema.Struct({
  items: Schema.Array(
    Schema.Struct({
      property: Schema.String.check(Schema.isMaxCodePoints(120)),
      codes: Schema.Array(Schema.String).check(Schema.isMaxLength(5))
    })
  ).check(Schema.isMaxLength(10))
})
export interface PfrRejection extends Schema.Schema.Type<typeof PfrRejection> {}

/** Something a person should look at although the receipt stands (Decisions §4). */
export const Remark = Schema.Struct({
  kind: Schema.Literals([
    "TAX_DIFFERS",
    "JOURNAL_DIFFERS",
    "LINK_UNREADABLE",
    "LINK_DIGEST_WRONG",
    "LINK_DIFFERS",
    "SIGNATURE_WRONG",
    "COUNTERS_DIFFER",
    "VERIFICATION_HOST_DIFFERS",
    "TIME_WITHOUT_OFFSET"
  ]),
  detail: Schema.String
})
export interface Remark extends Schema.Schema.Type<typeof Remark> {}

/**
 * The result of one submission. The question that decides most of it: could a byte of the request have reached the V-PFR? (Decisions §4)
 *
 * - `Signed`: a well-formed signed answer to this request.
 * - `Rejected`: the V-PFR refused the request as invalid, and its answer was read completely.
 * - `NotSent`: certainly not signed; nothing was sent, or the V-PFR refused the element.
 * - `NoAnswer`: may have been signed.
 */
export const SubmissionOutcome = Schema.TaggedUnion({
  Signed: { answer: SignedAnswer, remarks: Schema.Array(Remark) },
  Rejected: { rejection: PfrRejection, text: Schema.String },
  NotSent: {
    failureCode: Schema.Literals([
      "PFR_UNAVAILABLE",
      "PFR_SECURITY_ELEMENT_UNAVAILABLE",
      "PFR_SUBMISSION_CANCELLED_BEFORE_SEND"
    ]),
    detail: Schema.String,
    /** True when the V-PFR itself refused the element and this is not yet known: goes to the attention list. */
    elementRefused: Schema.Boolean
  },
  NoAnswer: {
    failureCode: Schema.Literals(["OUTCOME_UNKNOWN", "PFR_SUBMISSION_FAULT"]),
    detail: Schema.String,
    /** The text of an answer to another request, or of no valid answer at all: kept as evidence and put on the attention list. */
    foreignAnswer: Schema.NullOr(Schema.String)
  }
})
export type SubmissionOutcome = typeof SubmissionOutcome.Type

/** What a read-only search by RequestId showed. "Nothing found" never means "not issued" (Decisions §4, Resolution). */
export const SearchOutcome = Schema.TaggedUnion({
  Found: { answer: SignedAnswer, remarks: Schema.Array(Remark) },
  NothingFound: {},
  FoundForeign: { text: Schema.String, detail: Schema.String },
  NoAnswer: { detail: Schema.String }
})
export type SearchOutcome = typeof SearchOutcome.Type
