import { BigDecimal } from "effect"
import type { LineItem } from "../documents/LineItem.ts"
import { Quantity } from "../money/Dinars.ts"
import type { FiscalDocumentId, WorkflowId } from "../tenancy/identifiers.ts"
import type { RefundItem } from "./RefundItem.ts"
import { amountRefundable, type LedgerLine, quantityRefundable, type RefundLedger } from "./RefundLedger.ts"

/** What of one line can still be given back. */
export interface RefundableLine {
  readonly originalLineIndex: number
  readonly quantity: BigDecimal.BigDecimal
  readonly amount: BigDecimal.BigDecimal
  /** Refunds with an open outcome that hold the rest. */
  readonly heldBy: ReadonlyArray<{
    readonly workflowId: WorkflowId
    readonly quantity: BigDecimal.BigDecimal
    readonly amount: BigDecimal.BigDecimal
  }>
  /** The refund item that gives back everything left, ready to send; null when nothing is left. */
  readonly item: RefundItem | null
}

/** What of a receipt can still be given back. Source: Decisions §5, Refund workflow; §10. */
export interface Refundable {
  readonly fiscalDocumentId: FiscalDocumentId
  readonly lines: ReadonlyArray<RefundableLine>
}

/** The preview of a receipt's refunds, from its lines and its ledger. */
export const refundable = (
  fiscalDocumentId: FiscalDocumentId,
  original: ReadonlyArray<LineItem>,
  ledger: RefundLedger
): Refundable => ({
  fiscalDocumentId,
  lines: ledger.lines.map((line, originalLineIndex) => ({
    originalLineIndex,
    quantity: quantityRefundable(line),
    amount: amountRefundable(line),
    heldBy: heldBy(ledger, originalLineIndex),
    item: itemToSend(original[originalLineIndex], line, originalLineIndex)
  }))
})

const heldBy = (ledger: RefundLedger, originalLineIndex: number): RefundableLine["heldBy"] =>
  ledger.holds.flatMap((hold) =>
    hold.entries
      .filter((entry) => entry.originalLineIndex === originalLineIndex)
      .map(({ quantity, amount }) => ({ workflowId: hold.workflowId, quantity, amount }))
  )

const itemToSend = (item: LineItem | undefined, line: LedgerLine, originalLineIndex: number): RefundItem | null => {
  const quantity = quantityRefundable(line)
  if (item === undefined || BigDecimal.isZero(quantity)) return null
  // The amount follows from the ledger and is no field of a request.
  const { signedAmount: _, ...fields } = item
  return { ...fields, quantity: Quantity.make(quantity), originalLineIndex }
}
