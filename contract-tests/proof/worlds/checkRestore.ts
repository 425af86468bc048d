import { advancePartOf, isCarriedOnByService, type Operation } from "@overa/domain"
import { documentUnder, type FinishedRun, type Violation } from "./FinishedRun.ts"
import type { LostToRestore } from "./SimulatedRestore.ts"
import { orderKeyOf } from "./SimulatedVpfr.ts"
import { isRaised } from "./told.ts"

/** What was taken back is never signed once more. A document of the service is not either where nobody kept anything of it (docs/adr/0121). */
const checkOnce = (run: FinishedRun, { key, stored }: LostToRestore, isTakenBack: boolean): ReadonlyArray<Violation> => {
  const { operation } = stored
  // What the network delivered hours after an operator's decision has its own excuse (`excuseOf`).
  const receipts = run.vpfr.receiptsOf(key).filter(({ isTooLate }) => !isTooLate)
  // A repeated refund that nobody took back has another number, and so a copy of its own.
  const same = isCarriedOnByService(operation) ? receipts.filter(({ content }) => content.reference?.pfrNumber === operation.content.reference?.pfrNumber) : receipts
  const isPromised = isCarriedOnByService(operation) || isTakenBack
  return isPromised && same.length > 1 ? [`${key} was signed ${same.length} times, although the restore that lost it knew of it`] : []
}

/** A sale whose proof was taken back is a receipt again, the same one, or visibly unresolved. */
const checkFound = (run: FinishedRun, { key, stored: { operation } }: LostToRestore, isTakenBack: boolean): ReadonlyArray<Violation> => {
  const [receipt] = run.vpfr.receiptsOf(key)
  const now = documentUnder(run, key)
  if (!isTakenBack || receipt === undefined || now === undefined || operation.workflow !== null) return []
  const isSame = now.operation.id === operation.id
  return isSame ? [] : [`${key} was taken back as ${operation.id} and is ${now.operation.id}`]
}

/** Whether a document of a case must not be sent unnoticed where another one of it is lost: it gives money back, or is a final sale where one may be signed. */
const isConcernedBy = (lost: Operation, other: Operation): boolean => {
  const part = advancePartOf(other)
  return part === "CLOSING_REFUND" || part === "CANCELLATION" || (part === "FINAL_SALE" && advancePartOf(lost) === "FINAL_SALE")
}

/** Whether a document of the store gives back what a lost refund gave back. */
const isRefundBeside = (lost: Operation, { content: { invoiceType, reference, transactionType }, workflow }: Operation): boolean =>
  workflow?.type === "REFUND" && invoiceType === "NORMAL" && transactionType === "REFUND" && reference?.fiscalDocumentId === lost.content.reference?.fiscalDocumentId

/** Whether a document of the store must not be sent unnoticed where this one is lost. */
const isHeldUpBy = (lost: Operation): (other: Operation) => boolean => {
  if (lost.workflow?.type === "ADVANCE") return (other) => other.workflow?.id === lost.workflow?.id && isConcernedBy(lost, other)
  const isRefund = lost.workflow?.type === "REFUND" && lost.content.invoiceType === "NORMAL"
  return (other) => isRefund && isRefundBeside(lost, other)
}

/**
 * Where a lost document of an advance case, or a lost refund, was signed, and its file was taken back, nothing else of the case, and no other refund of the receipt, is sent after the
 * restore: a person has an item that names what was signed, and does not acknowledge it here, for the receipt is there. The document itself may be sent again under its own key (`checkOnce`).
 */
const checkSentBeside = (run: FinishedRun, { isGone, key, stored: { operation } }: LostToRestore): ReadonlyArray<Violation> => {
  const named = run.restore.namedForOthers(key)
  const signed = run.vpfr.receiptsOf(key).filter(({ invoiceNumber, requestId }) => named.has(requestId) || named.has(invoiceNumber))
  const again = documentUnder(run, key)
  // A document of the service is made again under another id; any other one that has the key is not the lost one.
  if (!isGone || signed.length === 0 || (again !== undefined && (operation.boundKey.role === "INNER" || again.operation.id === operation.id))) return []
  const isHeldUp = isHeldUpBy(operation)
  const others = [...run.store.memory.byId.values()].filter(({ operation: other }) => isHeldUp(other) && orderKeyOf(other.content) !== key)
  return others.flatMap((other) => {
    const isTold = signed.some((receipt) => isRaised(other, receipt))
    // An attempt from before the restore may be delivered after it. The service's own documents have derived RequestIds: there the same one may be a new attempt.
    const isEarlier = (requestId: string) => other.operation.boundKey.role !== "INNER" && run.restore.madeBefore.has(requestId)
    const isSent = run.vpfr.receiptsOf(orderKeyOf(other.operation.content)).some(({ isTooLate, requestId, signedAt }) => signedAt > run.restore.endedAt && !isTooLate && !isEarlier(requestId))
    if (!isSent) return []
    return [`${orderKeyOf(other.operation.content)} was sent, and ${isTold ? "a person had not acknowledged the loss" : "nobody was told"} of ${key}, which was taken back`]
  })
}

/** The promises about a restore to an earlier point (Decisions §15). */
export const checkRestore = (run: FinishedRun): ReadonlyArray<Violation> => [
  ...run.restore.faults,
  ...run.restore.lost.flatMap((lost) => {
    const isTakenBack = run.restore.isTakenBack(lost)
    return [...checkOnce(run, lost, isTakenBack), ...checkFound(run, lost, isTakenBack), ...checkSentBeside(run, lost)]
  })
]
