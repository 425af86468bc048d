import {
  cashCopyOf,
  type Conclusion,
  copyDueAfterMillis,
  consumeAfterRelease,
  consumeRefund,
  type FiscalDocumentId,
  holdRefund,
  holdsFollow,
  type Operation,
  overRefundedLines,
  type RefundEntry,
  type RefundLedger,
  releaseRefund,
  type ReservedCopy,
  type WorkflowId
} from "@overa/domain"

/** A refund workflow as memory keeps it. */
export interface MemoryRefund {
  readonly workflowId: WorkflowId
  readonly originalId: FiscalDocumentId
  readonly refundId: FiscalDocumentId
  readonly copyId: FiscalDocumentId | null
  readonly entries: ReadonlyArray<RefundEntry>
  holds: "HELD" | "CONSUMED" | "RELEASED"
}

export interface RefundEffects {
  readonly ledger: RefundLedger
  readonly copy: ReservedCopy | null
  readonly copyCheckAfterMillis: number
  /** Lines of which more was given back than sold, because there is a receipt, or may be, after the hold had been released. */
  readonly overRefunded: ReadonlyArray<number>
}

const settle = (ledger: RefundLedger, refund: MemoryRefund, holds: MemoryRefund["holds"]): RefundLedger => {
  if (holds === refund.holds) return ledger
  if (holds === "RELEASED") return releaseRefund(ledger, refund.workflowId)
  if (holds === "HELD") return holdRefund(ledger, refund.workflowId, refund.entries)
  return refund.holds === "RELEASED"
    ? consumeAfterRelease(ledger, refund.entries)
    : consumeRefund(ledger, refund.workflowId)
}

/** What the refund document's new status changes in the ledger of the original, and the copy it reserves. */
export const refundEffects = (
  ledger: RefundLedger,
  refund: MemoryRefund,
  document: Operation,
  { actor, at, event }: Pick<Conclusion, "actor" | "at" | "event">
): RefundEffects => {
  const holds = holdsFollow(document.status)
  const settled = settle(ledger, refund, holds)
  const overRefunded = refund.holds === "RELEASED" && holds !== "RELEASED" ? overRefundedLines(settled) : []
  refund.holds = holds
  const copy = refund.copyId === null ? null : cashCopyOf(document, refund.copyId, at, actor)
  return { ledger: settled, copy, copyCheckAfterMillis: copyDueAfterMillis(event), overRefunded }
}
