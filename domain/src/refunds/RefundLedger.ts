import { BigDecimal } from "effect"
import type { LineItem } from "../documents/LineItem.ts"
import { lineAmount } from "../money/rounding.ts"
import type { AttentionItem } from "../operations/Operation.ts"
import type { FiscalDocumentId, WorkflowId } from "../tenancy/identifiers.ts"

/** What refunds took of one line of a receipt: consumed and held together, stored as sums so that no list of refunds is ever read. */
export interface LedgerLine {
  readonly quantityOriginal: BigDecimal.BigDecimal
  /** The line's signed total, in dinars. */
  readonly amountOriginal: BigDecimal.BigDecimal
  readonly quantityTaken: BigDecimal.BigDecimal
  readonly amountTaken: BigDecimal.BigDecimal
}

/** What one refund takes of one line. */
export interface RefundEntry {
  readonly originalLineIndex: number
  readonly quantity: BigDecimal.BigDecimal
  readonly amount: BigDecimal.BigDecimal
}

/** What a refund with an open outcome reserves of the lines. */
export interface RefundHold {
  readonly workflowId: WorkflowId
  readonly entries: ReadonlyArray<RefundEntry>
}

/** The refund ledger of one receipt: a line per item, and the open holds. Source: Spec, Refunds rule 2; Decisions §5. */
export interface RefundLedger {
  readonly lines: ReadonlyArray<LedgerLine>
  readonly holds: ReadonlyArray<RefundHold>
}

const zero = BigDecimal.fromBigInt(0n)

/** The ledger of a receipt without refunds. */
export const openLedger = (items: ReadonlyArray<LineItem>): RefundLedger => ({
  lines: items.map((item) => ({
    quantityOriginal: item.quantity,
    amountOriginal: lineAmount(item),
    quantityTaken: zero,
    amountTaken: zero
  })),
  holds: []
})

const atLeastZero = (value: BigDecimal.BigDecimal): BigDecimal.BigDecimal => BigDecimal.max(value, zero)

/** The quantity of a line that no refund has consumed or holds. */
export const quantityRefundable = (line: LedgerLine): BigDecimal.BigDecimal =>
  atLeastZero(BigDecimal.subtract(line.quantityOriginal, line.quantityTaken))

/** The money of a line that no refund has consumed or holds. */
export const amountRefundable = (line: LedgerLine): BigDecimal.BigDecimal =>
  atLeastZero(BigDecimal.subtract(line.amountOriginal, line.amountTaken))

/** The line after an entry was taken from it. */
export const takeFromLine = (line: LedgerLine, entry: Omit<RefundEntry, "originalLineIndex">): LedgerLine => ({
  ...line,
  quantityTaken: BigDecimal.sum(line.quantityTaken, entry.quantity),
  amountTaken: BigDecimal.sum(line.amountTaken, entry.amount)
})

const giveBackToLine = (line: LedgerLine, entry: RefundEntry): LedgerLine => ({
  ...line,
  quantityTaken: BigDecimal.subtract(line.quantityTaken, entry.quantity),
  amountTaken: BigDecimal.subtract(line.amountTaken, entry.amount)
})

const changeLines = (
  lines: ReadonlyArray<LedgerLine>,
  entries: ReadonlyArray<RefundEntry>,
  change: (line: LedgerLine, entry: RefundEntry) => LedgerLine
): ReadonlyArray<LedgerLine> => {
  const changed = [...lines]
  for (const entry of entries) {
    const line = changed[entry.originalLineIndex]
    if (line !== undefined) changed[entry.originalLineIndex] = change(line, entry)
  }
  return changed
}

const holdOf = (ledger: RefundLedger, workflowId: WorkflowId): RefundHold | undefined =>
  ledger.holds.find((hold) => hold.workflowId === workflowId)

const without = (ledger: RefundLedger, workflowId: WorkflowId): ReadonlyArray<RefundHold> =>
  ledger.holds.filter((hold) => hold.workflowId !== workflowId)

/** Holds what `askRefund` accepted, until the refund's outcome is known. A workflow that already has a hold keeps it. */
export const holdRefund = (
  ledger: RefundLedger,
  workflowId: WorkflowId,
  entries: ReadonlyArray<RefundEntry>
): RefundLedger =>
  holdOf(ledger, workflowId) !== undefined ? ledger : {
    lines: changeLines(ledger.lines, entries, takeFromLine),
    holds: [...ledger.holds, { workflowId, entries }]
  }

/** The refund is a receipt: its hold becomes consumed. Without a hold nothing changes. */
export const consumeRefund = (ledger: RefundLedger, workflowId: WorkflowId): RefundLedger =>
  holdOf(ledger, workflowId) === undefined ? ledger : { ...ledger, holds: without(ledger, workflowId) }

/** The refund will not become a receipt: its hold is released. Without a hold nothing changes. */
export const releaseRefund = (ledger: RefundLedger, workflowId: WorkflowId): RefundLedger => {
  const hold = holdOf(ledger, workflowId)
  return hold === undefined ? ledger : {
    lines: changeLines(ledger.lines, hold.entries, giveBackToLine),
    holds: without(ledger, workflowId)
  }
}

/**
 * A refund that was taken for not issued turned out to be signed: it is consumed whatever other refunds took meanwhile. A receipt that exists is
 * never denied, so this function may take more than was sold (Decisions §4, late answers; put on the attention list).
 */
export const consumeAfterRelease = (ledger: RefundLedger, entries: ReadonlyArray<RefundEntry>): RefundLedger => ({
  ...ledger,
  lines: changeLines(ledger.lines, entries, takeFromLine)
})

/** The attention item for lines of a receipt that were given back more than once. */
export const overRefunded = (originalId: FiscalDocumentId, lines: ReadonlyArray<number>): AttentionItem => ({
  kind: "OVER_REFUNDED",
  detail: `lines ${lines.join(", ")} of ${originalId} were given back more than once`,
  evidence: null
})

/**
 * Lines of which refunds took more than was sold. Two things can cause it: `consumeAfterRelease`, and a hold that is stored again after the store
 * lost it and others took its quantities.
 */
export const overRefundedLines = (ledger: RefundLedger): ReadonlyArray<number> =>
  ledger.lines.flatMap((line, at) => (BigDecimal.isGreaterThan(line.quantityTaken, line.quantityOriginal) ? [at] : []))
