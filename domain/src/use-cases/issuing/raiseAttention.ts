import { Effect } from "effect"
import { isDocument, type KeyHolder } from "../../operations/KeyHolder.ts"
import type { Attempt, AttentionItem, Operation } from "../../operations/Operation.ts"
import type { LostTo } from "../../operations/outcomeTable.ts"
import { type Conclusion, type LostAttempt, UnresolvedOperations } from "../../ports/OperationStore.ts"
import { type RetryBudget, untilStored } from "./lease.ts"
import { triedAgain } from "./triedAgain.ts"

type Concerned = Pick<KeyHolder, "organizationId" | "id">

/** `NOTHING`: there was nothing to raise. `GAVE_UP`: the store did not take the item. */
export type Raised = "NOTHING" | "RAISED" | "GAVE_UP"

interface Raising {
  readonly item: AttentionItem
  /** The lost attempt at the operation's own request, which the operation gets back. */
  readonly lost?: Omit<LostAttempt, "actor">
}

/** Puts an item about an operation on the attention list. It is retried as long as the outcome itself, because it may be the only trace of a receipt. */
const raise = Effect.fnUntraced(function*(concerned: Concerned, { item, lost }: Raising, { actor, at }: Pick<Conclusion, "actor" | "at">, budget: RetryBudget) {
  const unresolved = yield* UnresolvedOperations
  const operation = { organizationId: concerned.organizationId, operationId: concerned.id as Operation["id"] }
  // Logged as well: a failover to an asynchronous standby may lose the stored item (docs/operations/failover.md).
  yield* Effect.logWarning("attention item raised", { kind: item.kind, detail: item.detail, operationId: concerned.id })
  const raised = unresolved.raise(operation, [item], at, lost === undefined ? undefined : { ...lost, actor }).pipe(
    Effect.as("RAISED" as const),
    (stored) => triedAgain(stored, "GAVE_UP", { operationId: concerned.id, item: item.kind })
  )
  const result = yield* untilStored(raised, (done) => done === "RAISED", budget)
  if (result !== "RAISED") yield* Effect.logError("attention item not stored", { ...item, operationId: concerned.id })
  return result
})

const nothing = Effect.succeed<Raised>("NOTHING")

const evidenceOf = (conclusion: Conclusion): string | null => conclusion.answer?.text ?? conclusion.answerText

/** The V-PFR answered with a number that another document has (Decisions §4). */
export const raiseNumberTaken = (current: Operation, conclusion: Conclusion, budget: RetryBudget) => {
  const number = conclusion.answer?.pfr.invoiceNumber ?? ""
  const detail = `the V-PFR answered ${number}, which is another document's number`
  return raise(current, { item: { kind: "NUMBER_ALREADY_STORED", detail, evidence: evidenceOf(conclusion) } }, conclusion, budget)
}

/**
 * A receipt for an operation whose status no longer accepts one. The same receipt again is ignored; another one is a second receipt and goes to the
 * attention list with the answer as evidence (Decisions §4).
 */
export const raiseSecondReceipt = (current: Operation, conclusion: Conclusion, budget: RetryBudget) => {
  const number = conclusion.answer?.pfr.invoiceNumber
  if (number === undefined || current.answer?.pfr.invoiceNumber === number) return nothing
  const holds = current.answer === null ? "" : ` with ${current.answer.pfr.invoiceNumber}`
  const detail = `the V-PFR signed ${number} for attempt ${conclusion.attempt}, but the operation is ${current.inDoubt ?? current.status}${holds}`
  return raise(current, { item: { kind: "SECOND_RECEIPT", detail, evidence: evidenceOf(conclusion) } }, conclusion, budget)
}

/** Whether an operation and the holder have the same key: the caller has repeated its request. */
const hasSameKey = (holder: KeyHolder, { boundKey }: Operation): boolean => holder.boundKey.role === boundKey.role && holder.boundKey.key === boundKey.key

/** What another document has in the place of one that the store lost. */
const placeOf = ({ workflow }: Operation): string =>
  workflow?.type === "ADVANCE" ? "its advance case is closed by" : "the sale that it gives back is given back by"

/** Whether two operations have the same request: method, path and content. */
const isSameRequest = (one: Operation, other: Operation): boolean =>
  one.boundKey.target === other.boundKey.target && one.boundKey.fingerprint.digest === other.boundKey.fingerprint.digest

/** What a process knows of an attempt that the store lost. */
interface LostOutcome {
  readonly operation: Operation
  readonly attempt: Attempt
  readonly conclusion: Conclusion
}

const nowHolding = (holder: KeyHolder, { operation }: LostOutcome): string => {
  if (hasSameKey(holder, operation)) return "its key is another request's now"
  return `${placeOf(operation)} this document now; its key is ${operation.boundKey.key}`
}

/** Whether the store has lost the document itself, and nothing has its key: the process's own memory of it stands for it. */
const isGone = (holder: KeyHolder, { operation }: LostOutcome): boolean => holder === operation

const ofGone = ({ attempt: { requestId }, conclusion, operation }: LostOutcome): string => {
  const number = conclusion.answer?.pfr.invoiceNumber
  const became = number === undefined ? "may have reached the V-PFR" : `the V-PFR signed as ${number}`
  return `the store lost this document, whose key is ${operation.boundKey.key}, with an attempt that ${became}, under RequestId ${requestId}`
}

const itemOf = (holder: KeyHolder, lost: LostOutcome): AttentionItem => {
  const { attempt: { requestId }, conclusion, operation } = lost
  const number = conclusion.answer?.pfr.invoiceNumber
  if (isGone(holder, lost)) return { kind: "LOST_ATTEMPT", detail: ofGone(lost), evidence: evidenceOf(conclusion) }
  const of = hasSameKey(holder, operation) ? "the same key" : `the key ${operation.boundKey.key}`
  const detail = number === undefined
    ? `the store lost an attempt of ${of} that may have reached the V-PFR under RequestId ${requestId}; a second receipt may exist`
    : `the store lost an attempt that the V-PFR signed as ${number}; ${nowHolding(holder, lost)}`
  return { kind: "LOST_ATTEMPT", detail, evidence: evidenceOf(conclusion) }
}

/** Which document has the place of an attempt that the store lost. */
export const lostTo = (holder: KeyHolder, operation: Operation): LostTo => {
  if (!isDocument(holder) || !hasSameKey(holder, operation)) return "OTHER"
  return isSameRequest(operation, holder) ? "SAME_REQUEST" : "SAME_KEY"
}

/**
 * Raises what `lostAttemptTable` says. An attempt without an answer may have a receipt: the document of the same request gets the attempt, so that it is
 * searched for; with any other document a person must search. Where the document itself is lost, the one that has its key next gets the attempt.
 */
export const raiseLost = (raises: "SECOND_RECEIPT" | "LOST_ATTEMPT" | null, holder: KeyHolder, lost: LostOutcome, budget: RetryBudget) => {
  const { attempt, conclusion, operation } = lost
  if (raises === null) return nothing
  if (raises === "SECOND_RECEIPT" && isDocument(holder) && !isGone(holder, lost)) return raiseSecondReceipt(holder, conclusion, budget)
  const isSearched = isGone(holder, lost) || (conclusion.answer === null && lostTo(holder, operation) === "SAME_REQUEST")
  return raise(holder, { item: itemOf(holder, lost), ...(isSearched ? { lost: { attempt, of: operation } } : {}) }, conclusion, budget)
}
