import { BigDecimal, Result } from "effect"
import type { LineItem, Payment } from "../documents/LineItem.ts"
import { Dinars } from "../money/Dinars.ts"
import { formatDecimal } from "../money/decimals.ts"
import { lineAmount } from "../money/rounding.ts"
import { type Fault, pointerOf } from "../requests/Fault.ts"
import { totalsFault } from "../requests/itemsField.ts"
import { amountRefundable, type LedgerLine, quantityRefundable, type RefundEntry, type RefundLedger, takeFromLine } from "./RefundLedger.ts"
import type { RefundItem } from "./RefundWorkflow.ts"
import { differingFields, mustRepeat } from "./refundable.ts"
import { RefundCumulativeQuantityExceeded, RefundItemMustMatchOriginalLine, RefundOriginalLineNotFound, RefundQuantityExceedsOriginal } from "./errors.ts"

export type RefundRefusal =
  | RefundOriginalLineNotFound
  | RefundItemMustMatchOriginalLine
  | RefundQuantityExceedsOriginal
  | RefundCumulativeQuantityExceeded

/** A refund that the receipt's ledger allows. */
export interface AcceptedRefund {
  /** The items to sign, in the request's order, with their amounts. */
  readonly items: ReadonlyArray<RefundItem>
  /** What to hold, one entry per original line. */
  readonly entries: ReadonlyArray<RefundEntry>
  /** What the payments must sum to, in dinars. */
  readonly total: BigDecimal.BigDecimal
}

/**
 * Checks a refund against the original's lines and what other refunds have consumed or hold, and computes its money. The first kind of fault that
 * occurs is refused with all its lines: line not found, item differs, more than sold, more than left. Items of one line are summed. The cost does not
 * grow with earlier refunds. Source: Spec, Refunds rule 2; Decisions §2, §5 Refund workflow.
 */
export const askRefund = (
  original: ReadonlyArray<LineItem>,
  ledger: RefundLedger,
  items: ReadonlyArray<RefundItem>
): Result.Result<AcceptedRefund, RefundRefusal> => {
  const refusal = lineNotFound(original, items) ?? mustMatch(original, items) ?? exceeds(ledger, items)
  return refusal === null ? Result.succeed(accept(ledger, items)) : Result.fail(refusal)
}

const lineNotFound = (original: ReadonlyArray<LineItem>, items: ReadonlyArray<RefundItem>): RefundOriginalLineNotFound | null => {
  const message = `must name a line of the original, 0 to ${original.length - 1}`
  const details = items.flatMap(({ originalLineIndex }, itemIndex) =>
    original[originalLineIndex] === undefined
      ? [{ pointer: pointerOf(["items", itemIndex, "originalLineIndex"]), message, itemIndex, originalLineIndex }]
      : []
  )
  return details.length === 0 ? null : new RefundOriginalLineNotFound({ details })
}

const mustMatch = (
  original: ReadonlyArray<LineItem>,
  items: ReadonlyArray<RefundItem>
): RefundItemMustMatchOriginalLine | null => {
  const details = items.flatMap((item, itemIndex) => {
    const { originalLineIndex } = item
    const line = original[originalLineIndex]
    return line === undefined ? [] : differingFields(item, line).map((field) => ({
      pointer: pointerOf(["items", itemIndex, field]),
      message: mustRepeat(line, field),
      itemIndex,
      originalLineIndex
    }))
  })
  return details.length === 0 ? null : new RefundItemMustMatchOriginalLine({ details })
}

interface Asked {
  readonly quantity: BigDecimal.BigDecimal
  /** Index of the first item that names the line. */
  readonly firstItem: number
}

const askedByLine = (items: ReadonlyArray<RefundItem>): ReadonlyMap<number, Asked> => {
  const asked = new Map<number, Asked>()
  for (const [itemIndex, { originalLineIndex, quantity }] of items.entries()) {
    const before = asked.get(originalLineIndex)
    asked.set(
      originalLineIndex,
      before === undefined ? { quantity, firstItem: itemIndex } : { ...before, quantity: BigDecimal.sum(before.quantity, quantity) }
    )
  }
  return asked
}

const exceeds = (
  ledger: RefundLedger,
  items: ReadonlyArray<RefundItem>
): RefundQuantityExceedsOriginal | RefundCumulativeQuantityExceeded | null => {
  const asked = [...askedByLine(items)].flatMap(([originalLineIndex, { quantity, firstItem }]) => {
    const line = ledger.lines[originalLineIndex]
    return line === undefined ? [] : [{
      pointer: pointerOf(["items", firstItem, "quantity"]),
      message: `line ${originalLineIndex} had ${formatDecimal(line.quantityOriginal)}, of which ${
        formatDecimal(quantityRefundable(line))
      } can still be given back, not ${formatDecimal(quantity)}`,
      originalLineIndex,
      quantity,
      quantityOriginal: line.quantityOriginal,
      quantityRefundable: quantityRefundable(line)
    }]
  })
  const beyondSold = asked.filter((line) => BigDecimal.isGreaterThan(line.quantity, line.quantityOriginal))
  if (beyondSold.length > 0) return new RefundQuantityExceedsOriginal({ details: beyondSold })
  const beyondLeft = asked.filter((line) => BigDecimal.isGreaterThan(line.quantity, line.quantityRefundable))
  return beyondLeft.length === 0 ? null : new RefundCumulativeQuantityExceeded({ details: beyondLeft })
}

/**
 * The money of a refunded quantity: quantity × price, never more than the line has left. When nothing of its quantity remains it is exactly the money
 * left, so that all refunds of a line add up to it to the para (Decisions §5, Money).
 */
export const refundAmount = (
  line: LedgerLine,
  item: Pick<LineItem, "quantity" | "unitPrice">
): BigDecimal.BigDecimal => {
  const left = amountRefundable(line)
  if (BigDecimal.equals(item.quantity, quantityRefundable(line))) return left
  return BigDecimal.min(lineAmount({ quantity: item.quantity, unitPrice: item.unitPrice }), left)
}

const accept = (ledger: RefundLedger, items: ReadonlyArray<RefundItem>): AcceptedRefund => {
  const lines = new Map<number, LedgerLine>()
  const entries = new Map<number, RefundEntry>()
  const signed = items.map((item) => {
    const line = lines.get(item.originalLineIndex) ?? ledger.lines[item.originalLineIndex]
    if (line === undefined) return item
    const amount = refundAmount(line, item)
    lines.set(item.originalLineIndex, takeFromLine(line, { quantity: item.quantity, amount }))
    const before = entries.get(item.originalLineIndex)
    entries.set(item.originalLineIndex, {
      originalLineIndex: item.originalLineIndex,
      quantity: before === undefined ? item.quantity : BigDecimal.sum(before.quantity, item.quantity),
      amount: before === undefined ? amount : BigDecimal.sum(before.amount, amount)
    })
    return withAmount(item, amount)
  })
  const taken = [...entries.values()]
  return { items: signed, entries: taken, total: BigDecimal.sumAll(taken.map((entry) => entry.amount)) }
}

// The amount is stored only where it is not quantity × price, so every other line stays as the caller sent it.
const withAmount = ({ signedAmount: _, ...item }: RefundItem, amount: BigDecimal.BigDecimal): RefundItem =>
  BigDecimal.equals(lineAmount(item), amount) ? item : { ...item, signedAmount: Dinars.make(amount) }

/**
 * The fault of a refund whose payments do not sum to its items' money, with the amount expected; null when they do. The money of a
 * refund depends on what the line has left, so only the ledger can judge it. Source: Spec, Refunds rule 4; Decisions §5, Money.
 */
export const refundTotalsFault = (total: BigDecimal.BigDecimal, payments: ReadonlyArray<Payment>): Fault | null => {
  const paid = BigDecimal.sumAll(payments.map((payment) => payment.amount))
  if (BigDecimal.equals(paid, total)) return null
  return totalsFault(
    `the refunded items come to ${formatDecimal(total, 2)}, the payments to ${formatDecimal(paid, 2)}; they must be equal`
  )
}
