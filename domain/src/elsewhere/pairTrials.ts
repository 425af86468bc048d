import type { BigDecimal } from "effect"
import type { LineItem } from "../documents/LineItem.ts"
import { formatDecimal } from "../money/decimals.ts"
import { lineAmount, totalAmount } from "../money/rounding.ts"
import type { PrintedReceipt } from "../receipt-text/readJournal.ts"

/** A receipt of the other ESIR, as it was printed. */
export interface PrintedElsewhere {
  readonly pfrNumber: string
  readonly printed: PrintedReceipt
}

/** A sale to be paired: the number of its receipt where the shop's log says it, and its lines. */
export interface UnpairedSale {
  readonly pfrNumber: string | null
  readonly items: ReadonlyArray<LineItem>
}

const positive = (amount: BigDecimal.BigDecimal): string => formatDecimal(amount, 2).replace("-", "")

const linesOf = (amounts: ReadonlyArray<BigDecimal.BigDecimal>): string => amounts.map(positive).toSorted().join(" ")

/** Receipts by a text that sales share with them, each taken once, in their order. */
class Waiting {
  private readonly byText = new Map<string, Array<PrintedElsewhere>>()

  add(text: string, receipt: PrintedElsewhere): void {
    const waiting = this.byText.get(text)
    if (waiting === undefined) this.byText.set(text, [receipt])
    else waiting.push(receipt)
  }

  take(text: string, isTaken: (receipt: PrintedElsewhere) => boolean): PrintedElsewhere | null {
    const waiting = this.byText.get(text) ?? []
    while (waiting.length > 0) {
      const first = waiting.shift()
      if (first !== undefined && !isTaken(first)) return first
    }
    return null
  }
}

/**
 * The receipt of each sale, and the receipts that no sale has. First by number, where the log says it; then sales and receipts with the same lines, in their
 * order; then those with the same total. A sale without a receipt has null.
 */
export const pairTrials = <Sale extends UnpairedSale>(sales: ReadonlyArray<Sale>, receipts: ReadonlyArray<PrintedElsewhere>) => {
  const [byNumber, byLines, byTotal] = [new Waiting(), new Waiting(), new Waiting()]
  for (const receipt of receipts) {
    byNumber.add(receipt.pfrNumber, receipt)
    byLines.add(linesOf(receipt.printed.items.map(({ amount }) => amount)), receipt)
    byTotal.add(positive(receipt.printed.total), receipt)
  }
  const taken = new Set<PrintedElsewhere>()
  const found = new Map<Sale, PrintedElsewhere>()
  const pass = (sought: (sale: Sale) => PrintedElsewhere | null): void => {
    for (const sale of sales) {
      const receipt = found.has(sale) ? null : sought(sale)
      if (receipt === null) continue
      taken.add(receipt)
      found.set(sale, receipt)
    }
  }
  const isTaken = (receipt: PrintedElsewhere): boolean => taken.has(receipt)
  pass(({ pfrNumber }) => pfrNumber === null ? null : byNumber.take(pfrNumber, isTaken))
  // A sale whose log names a receipt that is not there is not given another one.
  const unnamed = (sought: (sale: Sale) => PrintedElsewhere | null) => (sale: Sale) => sale.pfrNumber === null ? sought(sale) : null
  pass(unnamed(({ items }) => byLines.take(linesOf(items.map(lineAmount)), isTaken)))
  pass(unnamed(({ items }) => byTotal.take(positive(totalAmount(items)), isTaken)))
  return {
    pairs: sales.map((sale) => ({ sale, receipt: found.get(sale) ?? null })),
    left: receipts.filter((receipt) => !taken.has(receipt))
  }
}
