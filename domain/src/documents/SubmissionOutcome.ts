import { Schema } from "effect"
import { PfrRejection } from "./PfrRejection.ts"
import { SignedAnswer } from "./PfrResult.ts"

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
