import { DateTime, Effect, Option } from "effect"
import type { SearchOutcome, SubmissionOutcome } from "../../documents/PfrResult.ts"
import type { AttemptOutcome, AttentionItem } from "../../operations/Operation.ts"
import { isCarriedOnByService } from "../../operations/carriedOnByService.ts"
import { attemptTable, submissionOutcome } from "../../operations/outcomeTable.ts"
import { pauseAfterSearch } from "../../operations/nextCheck.ts"
import { type Conclusion, OperationStore } from "../../ports/OperationStore.ts"
import { leaseMillis, millisSince, type Moment, SubmissionPolicy, untilLeaseEnds, untilStored } from "./lease.ts"
import type { FirstCommit, Kept } from "./reservation.ts"

/** The outcome of an attempt, as it is stored. */
export type AttemptConclusion = Conclusion & { readonly attemptOutcome: AttemptOutcome }

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
export const receiptConclusion = (concerning: Concerning, outcome: Signed | Found): AttemptConclusion => ({
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
export const conclusionOf = (concerning: Concerning, outcome: SubmissionOutcome, facts: SubmissionFacts): AttemptConclusion => {
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

const conclusionOfAttempt = (concerning: Concerning, outcome: SubmissionOutcome): AttemptConclusion => {
  if (outcome._tag === "Signed") return receiptConclusion(concerning, outcome)
  const attemptOutcome = ({ Rejected: "REJECTED", NotSent: "NOT_SENT", NoAnswer: "NO_ANSWER" } as const)[outcome._tag]
  const { event, searchAfterMillis } = attemptTable[attemptOutcome]
  const conclusion = { ...concerning, ...nothing, buyerDetails: null, event, attemptOutcome, nextCheckAfterMillis: searchAfterMillis }
  switch (outcome._tag) {
    case "Rejected":
      return { ...conclusion, failureCode: "PFR_VALIDATION_REJECTED", rejection: outcome.rejection, answerText: outcome.text }
    case "NotSent": {
      const { detail, elementRefused, failureCode } = outcome
      return { ...conclusion, failureCode, attention: elementRefused ? [{ kind: "ELEMENT_REFUSED", detail, evidence: null }] : [] }
    }
    case "NoAnswer": {
      const { detail, failureCode, foreignAnswer: evidence } = outcome
      const attention = evidence === null ? [] : [{ kind: "FOREIGN_ANSWER", detail, evidence }]
      // It may be a receipt: its papers show what the register answered once it is found.
      return { ...conclusion, buyerDetails: concerning.buyerDetails, failureCode, answerText: evidence, attention }
    }
  }
}

const unsent = submissionOutcome("commitNotConfirmed", "the first commit was not confirmed, so nothing was sent")

export interface UnsentAttempt<K extends Kept, E> {
  readonly firstCommit: FirstCommit<K, E>
  readonly actor: string
  readonly earlierUnresolved: boolean
}

/** True when there is nothing more to do: concluded, or the attempt belongs to another request. A commit that is not visible yet may still arrive. */
const concludeOnce = Effect.fnUntraced(function*<K extends Kept, E>({ actor, earlierUnresolved, firstCommit }: UnsentAttempt<K, E>) {
  const store = yield* OperationStore
  const found = yield* firstCommit.reread
  if (Option.isNone(found)) return false
  if (found.value._tag === "Taken") return true
  const { operation } = found.value.kept.reservation
  const { organizationId, id, workflow, attempt } = operation
  const at = yield* DateTime.now
  const concerning = { organizationId, operationId: id, workflow, attempt, at, actor, buyerDetails: null }
  const facts = { earlierUnresolved, isInner: operation.boundKey.role === "INNER", isCarriedOn: isCarriedOnByService(operation) }
  yield* store.conclude(conclusionOf(concerning, unsent, facts))
  return true
}, Effect.catchTag("StoreUnavailable", () => Effect.succeed(false)))

/**
 * For a first commit that was not confirmed and that a second read did not find. Its caller got 503 and nothing was sent, but the commit may be
 * stored, or may still arrive. Only this host knows that nothing was sent, and it stores that fact while the attempt's lease lasts; otherwise the
 * document would become an unknown outcome that only an operator can end.
 */
export const concludeUnsent = Effect.fnUntraced(function*<K extends Kept, E>(attempt: UnsentAttempt<K, E>, leaseFrom: Moment) {
  const policy = yield* SubmissionPolicy
  const now = DateTime.toEpochMillis(yield* DateTime.now)
  const elapsed = yield* millisSince(leaseFrom)
  yield* untilStored(concludeOnce(attempt), (done) => done, untilLeaseEnds(now + leaseMillis(policy) - elapsed))
})
