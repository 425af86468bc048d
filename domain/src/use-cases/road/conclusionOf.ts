import type { SearchOutcome, SubmissionOutcome } from "../../documents/SubmissionOutcome.ts"
import { pauseAfterSearch } from "../../operations/nextCheck.ts"
import type { AttentionItem } from "../../operations/Operation.ts"
import type { Conclusion } from "../../ports/OperationStore.ts"

type Concerning = Pick<Conclusion, "organizationId" | "operationId" | "workflow" | "attempt" | "at" | "actor" | "buyerDetails">

type Found = Extract<SearchOutcome, { readonly _tag: "Found" }>
type Signed = Extract<SubmissionOutcome, { readonly _tag: "Signed" }>

const remarksToAttention = (outcome: Signed | Found): ReadonlyArray<AttentionItem> =>
  outcome.remarks.map((remark) => ({ kind: remark.kind, detail: remark.detail, evidence: null }))

const nothing = {
  failureCode: null,
  rejection: null,
  answer: null,
  answerText: null,
  nextCheckAfterMillis: null,
  attention: []
} as const

/** What a receipt changes in the store, however it was found. */
export const receiptConclusion = (concerning: Concerning, outcome: Signed | Found): Conclusion => ({
  ...concerning,
  ...nothing,
  event: outcome._tag === "Signed" ? "signed" : "found",
  attemptOutcome: "SIGNED",
  answer: outcome.answer,
  attention: remarksToAttention(outcome)
})

/** The facts of a submission besides its outcome. */
export interface SubmissionFacts {
  /** An earlier attempt may still have a receipt: the search for its RequestId continues, whatever the outcome of this attempt. */
  readonly earlierUnresolved: boolean
  /** A document that the service composed itself: a rejection goes to the operator. */
  readonly isInner: boolean
  /** The service sends it until it is a receipt, whoever asked for it. */
  readonly isCarriedOn: boolean
}

/** What each outcome of a submission changes in the store (Decisions §4, What a failure means). */
export const conclusionOf = (concerning: Concerning, outcome: SubmissionOutcome, facts: SubmissionFacts): Conclusion => {
  const conclusion = conclusionOfAttempt(concerning, outcome)
  const isDueAgain = facts.earlierUnresolved || (facts.isCarriedOn && outcome._tag === "NotSent")
  return {
    ...conclusion,
    nextCheckAfterMillis: conclusion.nextCheckAfterMillis ?? (isDueAgain ? pauseAfterSearch(1) : null),
    attention: facts.isInner && outcome._tag === "Rejected"
      ? [{ kind: "INNER_DOCUMENT_REJECTED", detail: "the V-PFR rejected a document the service composed", evidence: outcome.text }]
      : conclusion.attention
  }
}

const conclusionOfAttempt = (concerning: Concerning, outcome: SubmissionOutcome): Conclusion => {
  const withoutBuyer = { ...concerning, buyerDetails: null }
  switch (outcome._tag) {
    case "Signed":
      return receiptConclusion(concerning, outcome)
    case "Rejected":
      return {
        ...withoutBuyer,
        ...nothing,
        event: "rejected",
        attemptOutcome: "REJECTED",
        failureCode: "PFR_VALIDATION_REJECTED",
        rejection: outcome.rejection,
        answerText: outcome.text
      }
    case "NotSent":
      return {
        ...withoutBuyer,
        ...nothing,
        event: "notSent",
        attemptOutcome: "NOT_SENT",
        failureCode: outcome.failureCode,
        attention: outcome.elementRefused
          ? [{ kind: "ELEMENT_REFUSED", detail: outcome.detail, evidence: null }]
          : []
      }
    case "NoAnswer":
      return {
        ...withoutBuyer,
        ...nothing,
        event: "noAnswer",
        attemptOutcome: "NO_ANSWER",
        failureCode: outcome.failureCode,
        answerText: outcome.foreignAnswer,
        nextCheckAfterMillis: 0,
        attention: outcome.foreignAnswer === null
          ? []
          : [{ kind: "FOREIGN_ANSWER", detail: outcome.detail, evidence: outcome.foreignAnswer }]
      }
  }
}
