import { documentsOf, refundWorkflowStatus } from "@overa/domain"
import { BigDecimal } from "effect"
import { documentUnder, type FinishedRun, isForgotten, isKnownTwice, type Violation } from "./FinishedRun.ts"

const three = BigDecimal.fromBigInt(3n)

/** More was given back than sold, and it is on the attention list: only a receipt that was unknown when the rest was given away can cause it. */
const isOverRefundRaised = ({ store }: FinishedRun, original: string): boolean =>
  [...store.memory.byId.values()].some(({ attention }) =>
    attention.some(({ detail, kind }) => kind === "SECOND_RECEIPT" || (kind === "OVER_REFUNDED" && detail.includes(original)))
  )

/** What the V-PFR signed as refunded of a receipt's line never exceeds what was sold. */
const checkQuantities = (run: FinishedRun): ReadonlyArray<Violation> => {
  const { store, vpfr } = run
  const givenBack = new Map<string, BigDecimal.BigDecimal>()
  const excused = new Set<string>()
  for (const receipt of vpfr.receipts) {
    const { content } = receipt
    if (content.invoiceType !== "NORMAL" || content.transactionType !== "REFUND") continue
    const original = content.reference?.fiscalDocumentId ?? ""
    const refund = documentUnder(run, receipt.key)
    const isRaised = isOverRefundRaised(run, original) || (refund !== undefined && isKnownTwice(run, refund, receipt.key))
    if (isForgotten(run, receipt.key) || store.lostOutcomes.has(receipt.key) || isRaised) excused.add(original)
    const [item] = content.items
    if (item === undefined) continue
    givenBack.set(original, BigDecimal.sum(givenBack.get(original) ?? BigDecimal.fromBigInt(0n), item.quantity))
  }
  return [...givenBack].flatMap(([original, quantity]) =>
    BigDecimal.isGreaterThan(quantity, three) && !excused.has(original)
      ? [`${original}: ${BigDecimal.format(quantity)} of 3 pieces were given back`]
      : []
  )
}

/** A cash refund that is a receipt has at most one copy at the V-PFR, and at the end exactly one unless it was rejected. */
const checkCopies = (run: FinishedRun): ReadonlyArray<Violation> => {
  const { store, vpfr } = run
  return [...store.memory.refunds.values()].flatMap((kept) => {
    const refund = store.memory.byId.get(kept.refundId)?.operation
    if (refund === undefined || kept.copyId === null || isForgotten(run, refund.content.clientReference)) return []
    const key = `${refund.content.clientReference}:copy`
    const copies = vpfr.receiptsOf(key).length
    const copy = store.memory.byId.get(kept.copyId)?.operation
    const isDue = refund.status === "FISCALIZED"
    const settled = copy?.status === "FISCALIZED" || copy?.status === "REJECTED" || copy?.status === "OUTCOME_UNKNOWN"
    return [
      ...(copies > 1 && !store.lostReservations.has(key) ? [`${key} was signed ${copies} times`] : []),
      ...(isDue && !settled ? [`${key} is ${copy?.status ?? "not reserved"} when all is calm`] : []),
      ...(!isDue && copies > 0 ? [`${key} was signed for a refund that is ${refund.status}`] : [])
    ]
  })
}

/** What was answered stays true: one workflow under a key, completed stays completed, and a refund that is a receipt never fails. */
const checkTold = (run: FinishedRun): ReadonlyArray<Violation> => {
  const { refunds, store } = run
  const workflows = new Map<string, string>()
  return refunds.heard.filter(({ planned }) => !isForgotten(run, planned.key)).flatMap(({ planned, workflowId, status }) => {
    const kept = [...store.memory.refunds.values()].find((refund) => refund.workflowId === workflowId)
    const refund = kept === undefined ? undefined : store.memory.byId.get(kept.refundId)?.operation
    const copy = kept?.copyId === null || kept === undefined ? null : store.memory.byId.get(kept.copyId)?.operation ?? null
    const wasReceipt = status === "COMPLETED" || status === "COPY_PENDING" || status === "COPY_OUTCOME_UNKNOWN"
    // A failover that lost the whole refund, of which no receipt was told, lets the same key have another workflow.
    const mayBeGone = store.lostReservations.has(planned.key) && !wasReceipt
    if (kept === undefined || refund === undefined) return mayBeGone ? [] : [`${planned.key}: workflow ${workflowId} is gone`]
    const first = workflows.get(planned.key) ?? workflowId
    workflows.set(planned.key, first)
    const now = refundWorkflowStatus(documentsOf({ id: kept.workflowId, refund, copyId: kept.copyId, copy, entries: kept.entries }))
    const excused = store.lostOutcomes.has(planned.key) || store.lostOutcomes.has(`${planned.key}:copy`)
    return [
      ...(first === workflowId ? [] : [`${planned.key} was answered with two workflows`]),
      ...(status === "COMPLETED" && now !== "COMPLETED" && !excused ? [`${planned.key} was COMPLETED and is ${now}`] : []),
      ...(wasReceipt && now === "FAILED" && !excused ? [`${planned.key} was ${status} and FAILED`] : [])
    ]
  })
}

/** The guarantees for refunds (Decisions §5, Refund workflow). */
export const checkRefunds = (run: FinishedRun): ReadonlyArray<Violation> => [
  ...checkQuantities(run),
  ...checkCopies(run),
  ...checkTold(run),
  ...run.refunds.faults
]
