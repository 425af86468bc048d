import { DateTime, Effect, Option, Result, Schema } from "effect"
import type { Operator } from "../activity/Activity.ts"
import type { DocumentStatus } from "../documents/DocumentStatus.ts"
import { nextStatus } from "../documents/documentTransitions.ts"
import type { SignedAnswer } from "../documents/PfrResult.ts"
import { mayHaveArrived } from "../operations/outcomeTable.ts"
import { isDueToBeSent } from "../operations/carriedOnByService.ts"
import { nextCheckAfter } from "../operations/nextCheck.ts"
import type { Attempt, AttentionItem, Operation } from "../operations/Operation.ts"
import { OperationHistory, OperationStore } from "../ports/OperationStore.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { FiscalDocumentId } from "../tenancy/identifiers.ts"
import { operatorActor, operatorsDeed } from "./issuing/reservation.ts"
import { settledAfterMillis, SubmissionPolicy } from "./issuing/lease.ts"

/** What a person found out about an unknown outcome. */
export type OperatorDecision =
  /**
   * The receipt was found by hand at the tax authority. `despite` lists the contradictions (`receiptFoundByHand`), empty where there are none: an
   * operator who holds the receipt may decide in spite of them, and they are kept on the attention list.
   */
  | {
    readonly _tag: "CONFIRMED_ISSUED"
    readonly attempt: number
    readonly answer: SignedAnswer
    readonly despite: ReadonlyArray<string>
  }
  | { readonly _tag: "CONFIRMED_NOT_ISSUED" }

/** Why a decision was not taken; nothing was changed. */
export class DecisionRefused extends Schema.TaggedError<DecisionRefused>()("DecisionRefused", { reason: Schema.String }) {}

/** Decisions §4: not too early, and only if the last search of every attempt reached the V-PFR and found nothing. */
export const notIssuedGuard = (
  attempts: ReadonlyArray<Attempt>,
  settledAfter: number,
  now: DateTime.Utc
): string | null => {
  const last = attempts.at(-1)
  if (last === undefined) return "no attempt was made"
  const earliest = DateTime.toEpochMillis(last.startedAt) + settledAfter
  if (DateTime.toEpochMillis(now) < earliest) {
    return `too early: the last attempt may be decided after ${DateTime.formatIso(DateTime.makeUnsafe(earliest))}`
  }
  const open = attempts.filter(mayHaveArrived)
  const unanswered = open.find(({ lastSearch }) => lastSearch === null)
  if (unanswered !== undefined) return `the last search for attempt ${unanswered.number} got no answer from the V-PFR, or there was none yet`
  const foreign = open.find(({ lastSearch }) => lastSearch?.found === true)
  return foreign === undefined
    ? null
    : `the last search for attempt ${foreign.number} found a receipt; if it is this operation's, decide that it was issued`
}

/** Whether `CONFIRMED_NOT_ISSUED` would be accepted now: a decision that is refused is not offered. */
export const mayBeNotIssued = Effect.fn("mayBeNotIssued")(function*(operation: Operation) {
  if (operation.status !== "OUTCOME_UNKNOWN" || operation.inDoubt !== undefined) return false
  const attempts = yield* (yield* OperationHistory).attempts(operation.organizationId, operation.id)
  return notIssuedGuard(attempts, settledAfterMillis(yield* SubmissionPolicy), yield* DateTime.now) === null
})

/** Somebody who holds the receipt need not wait; "not issued" is said by acknowledging the item. */
const mayBeDecidedInDoubt = (stored: DocumentStatus, decision: OperatorDecision): boolean =>
  decision._tag === "CONFIRMED_ISSUED" && Result.isSuccess(nextStatus(stored, "confirmedIssued"))

const doubt = (status: string): string =>
  `an open item of the attention list says that there may be a receipt which this document (${status}) does not have; acknowledge the item first`

/** A day's worth of pauses: whatever the operator decided, the search for attempts without an answer continues until the seven days are over. */
export const searchesBefore = 8

/** What the service sends by itself is sent soon after the decision, however old the document is. */
const checkAfterNotIssued = (operation: Operation, attempts: ReadonlyArray<Attempt>, now: DateTime.Utc) => {
  const notIssued = { ...operation, status: "NOT_FISCALIZED" as const }
  return nextCheckAfter({ operation: notIssued, attempts, checks: isDueToBeSent(notIssued) ? 1 : searchesBefore }, now)
}

const evidenceOf = ({ answer, despite }: Extract<OperatorDecision, { readonly _tag: "CONFIRMED_ISSUED" }>): ReadonlyArray<AttentionItem> =>
  despite.length === 0
    ? []
    : [{ kind: "CONFIRMED_DESPITE_CHECKS", detail: `decided as issued although ${despite.join("; ")}`, evidence: answer.text }]

const factsOf = (operation: Operation, decision: OperatorDecision, attempts: ReadonlyArray<Attempt>, now: DateTime.Utc) => {
  if (decision._tag === "CONFIRMED_ISSUED") {
    const others = attempts.filter((attempt) => mayHaveArrived(attempt) && attempt.number !== decision.attempt)
    return {
      event: "confirmedIssued" as const,
      attempt: decision.attempt,
      attemptOutcome: "SIGNED" as const,
      failureCode: null,
      answer: decision.answer,
      attention: evidenceOf(decision),
      nextCheckAfterMillis: others.length === 0 ? null : nextCheckAfter({ operation, attempts: others, checks: searchesBefore }, now)
    }
  }
  return {
    event: "confirmedNotIssued" as const,
    attempt: operation.attempt,
    // The attempt stays unresolved: the operator's decision is not an answer of the V-PFR.
    attemptOutcome: "NO_ANSWER" as const,
    failureCode: "OPERATOR_CONFIRMED_NOT_ISSUED" as const,
    answer: null,
    attention: [],
    nextCheckAfterMillis: checkAfterNotIssued(operation, attempts, now)
  }
}

const factsDecided = (decision: OperatorDecision) =>
  decision._tag === "CONFIRMED_ISSUED"
    ? { decision: decision._tag, status: "FISCALIZED", invoiceNumber: decision.answer.pfr.invoiceNumber }
    : { decision: decision._tag, status: "NOT_FISCALIZED", invoiceNumber: null }

/**
 * An operator decides an unknown outcome (Decisions §4). The decision is kept among the transitions with the operator's name, and in the same commit
 * with its reason in the activity log. CONFIRMED_NOT_ISSUED makes the operation retryable, and the search for its RequestIds continues.
 */
export const decideUnknown = Effect.fn("decideUnknown")(function*(command: {
  readonly tenant: Tenant
  readonly id: FiscalDocumentId
  readonly decision: OperatorDecision
  readonly operator: Operator
}) {
  const store = yield* OperationStore
  const policy = yield* SubmissionPolicy
  const found = yield* store.get(command.tenant, command.id)
  if (Option.isNone(found)) return yield* new DecisionRefused({ reason: "there is no such operation" })
  const operation = found.value
  if (operation.inDoubt !== undefined && !mayBeDecidedInDoubt(operation.inDoubt, command.decision)) {
    return yield* new DecisionRefused({ reason: doubt(operation.inDoubt) })
  }
  if (operation.status !== "OUTCOME_UNKNOWN") {
    return yield* new DecisionRefused({
      reason: operation.status === "RECONCILING"
        ? "the service is searching at the V-PFR right now; try again in a minute"
        : `its outcome is known: ${operation.status}`
    })
  }
  const now = yield* DateTime.now
  const attempts = yield* (yield* OperationHistory).attempts(operation.organizationId, operation.id)
  if (command.decision._tag === "CONFIRMED_NOT_ISSUED") {
    const refusal = notIssuedGuard(attempts, settledAfterMillis(policy), now)
    if (refusal !== null) return yield* new DecisionRefused({ reason: refusal })
  }
  const concluded = yield* store.conclude({
    ...factsOf(operation, command.decision, attempts, now),
    organizationId: operation.organizationId,
    operationId: operation.id,
    workflow: operation.workflow,
    at: now,
    actor: operatorActor(command.operator.name),
    rejection: null,
    answerText: null,
    buyerDetails: null,
    deed: operatorsDeed(command.operator, "unknown outcome decided", factsDecided(command.decision))
  })
  if (concluded._tag === "Applied") return concluded.operation
  return yield* new DecisionRefused({
    reason: concluded._tag === "NumberTaken"
      ? "that receipt is already stored with another document"
      : "the operation changed meanwhile; look at it again"
  })
})
