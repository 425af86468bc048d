import { Effect } from "effect"
import { isDocument, type KeyHolder } from "../../operations/KeyHolder.ts"
import type { AttentionItem, Operation } from "../../operations/Operation.ts"
import { type Conclusion, UnresolvedOperations } from "../../ports/OperationStore.ts"
import { type Patience, untilStored } from "./untilStored.ts"

type Concerned = Pick<KeyHolder, "organizationId" | "id">

/** Puts an item about an operation on the attention list. It is retried as long as the outcome itself, because it may be the only trace of a receipt. */
const raise = Effect.fnUntraced(function*(concerned: Concerned, item: AttentionItem, at: Conclusion["at"], patience: Patience) {
  const unresolved = yield* UnresolvedOperations
  const operation = { organizationId: concerned.organizationId, operationId: concerned.id as Operation["id"] }
  // Logged as well: a failover to an asynchronous standby may lose the stored item (docs/operations/failover.md).
  yield* Effect.logWarning("attention item raised", { kind: item.kind, detail: item.detail, operationId: concerned.id })
  const raised = unresolved.raise(operation, [item], at).pipe(
    Effect.as(true),
    Effect.catchTag("StoreUnavailable", () => Effect.succeed(false))
  )
  if (!(yield* untilStored(raised, (done) => done, patience))) {
    yield* Effect.logError("attention item not stored", { ...item, operationId: concerned.id })
  }
})

const evidenceOf = (conclusion: Conclusion): string | null => conclusion.answer?.text ?? conclusion.answerText

/** The V-PFR answered with a number that another document has (Decisions §4). */
export const raiseNumberTaken = (current: Operation, conclusion: Conclusion, patience: Patience) => {
  const number = conclusion.answer?.pfr.invoiceNumber ?? ""
  const detail = `the V-PFR answered ${number}, which is another document's number`
  return raise(current, { kind: "NUMBER_ALREADY_STORED", detail, evidence: evidenceOf(conclusion) }, conclusion.at, patience)
}

/**
 * A receipt for an operation whose status no longer accepts one. The same receipt again is ignored; another one is a second receipt and goes to the
 * attention list with the answer as evidence (Decisions §4).
 */
export const raiseSecondReceipt = (current: Operation, conclusion: Conclusion, patience: Patience) => {
  const number = conclusion.answer?.pfr.invoiceNumber
  if (number === undefined || current.answer?.pfr.invoiceNumber === number) return Effect.void
  const holds = current.answer === null ? "" : ` with ${current.answer.pfr.invoiceNumber}`
  const detail = `the V-PFR signed ${number} for attempt ${conclusion.attempt}, but the operation is ${current.status}${holds}`
  return raise(current, { kind: "SECOND_RECEIPT", detail, evidence: evidenceOf(conclusion) }, conclusion.at, patience)
}

/** Whether an operation and the holder have the same key: the caller has repeated its request. */
export const hasSameKey = (holder: KeyHolder, { boundKey }: Operation): boolean => holder.boundKey.role === boundKey.role && holder.boundKey.key === boundKey.key

/** What another document has in the place of one that the store lost. */
const placeOf = ({ workflow }: Operation): string =>
  workflow?.type === "ADVANCE" ? "its advance case is closed by" : "the sale that it gives back is given back by"

/**
 * The store lost an attempt, and since then another request has taken its key, or the sale that it refunds, or another closing its advance case. A receipt of the attempt is then a second
 * receipt of the document that has its key; if none has it, it is a receipt without a stored document. An attempt without an answer may have a
 * receipt, which only a person can search for now.
 */
export const raiseLostAttempt = (
  holder: KeyHolder,
  lost: { readonly operation: Operation; readonly requestId: string; readonly conclusion: Conclusion },
  patience: Patience
) => {
  const { conclusion, operation, requestId } = lost
  const isOfItsKey = hasSameKey(holder, operation)
  if (conclusion.answer !== null) {
    if (isDocument(holder) && isOfItsKey) return raiseSecondReceipt(holder, conclusion, patience)
    const now = isOfItsKey ? "its key is another request's now" : `${placeOf(operation)} this document now; its key is ${operation.boundKey.key}`
    const detail = `the store lost an attempt that the V-PFR signed as ${conclusion.answer.pfr.invoiceNumber}; ${now}`
    return raise(holder, { kind: "LOST_ATTEMPT", detail, evidence: evidenceOf(conclusion) }, conclusion.at, patience)
  }
  if (conclusion.attemptOutcome !== "NO_ANSWER") return Effect.void
  const detail = `the store lost an attempt of ${isOfItsKey ? "the same key" : `the key ${operation.boundKey.key}`} that may have reached the V-PFR under RequestId ${requestId}; a second receipt may exist`
  return raise(holder, { kind: "LOST_ATTEMPT", detail, evidence: evidenceOf(conclusion) }, conclusion.at, patience)
}
