import { BigDecimal } from "effect"
import type { LineItem, Payment, PaymentType } from "../documents/LineItem.ts"
import { formatDecimal } from "../money/decimals.ts"
import { lineAmount, roundToPara, totalAmount } from "../money/rounding.ts"
import type { PrintedItem, PrintedReceipt } from "../receipt-text/readJournal.ts"
import { type LabelTax, printedTax, printedTotalTax } from "../tax/taxByLabel.ts"
import { type Deviation, unlike } from "./deviations.ts"

/** A sale that was tried and not issued. */
export interface TriedSale {
  readonly items: ReadonlyArray<LineItem>
  readonly payments: ReadonlyArray<Payment>
  readonly buyerId: string | null
  /** Null where the rates are not known. */
  readonly taxes: ReadonlyArray<LabelTax> | null
}

type Amount = BigDecimal.BigDecimal

const unlikeText = (what: string, theirs: string | null, ours: string | null): ReadonlyArray<Deviation> => theirs === ours ? [] : [{ what, theirs, ours }]

const labelsOf = (labels: ReadonlyArray<string>): string => labels.toSorted().join(", ")

const itemDeviations = (at: number, theirs: PrintedItem, ours: LineItem): ReadonlyArray<Deviation> => [
  ...unlikeText(`item ${at} labels`, labelsOf(theirs.labels), labelsOf(ours.taxLabels)),
  ...unlike(`item ${at} price`, theirs.unitPrice, roundToPara(ours.unitPrice)),
  ...unlike(`item ${at} quantity`, theirs.quantity, ours.quantity, (quantity) => formatDecimal(quantity)),
  ...unlike(`item ${at} amount`, BigDecimal.abs(theirs.amount), lineAmount(ours))
]

const paymentDeviations = (printed: PrintedReceipt, payments: ReadonlyArray<Payment>): ReadonlyArray<Deviation> => {
  const change = printed.change ?? BigDecimal.make(0n, 2)
  const sumOf = (of: ReadonlyArray<{ readonly type: PaymentType; readonly amount: Amount }>, type: PaymentType): Amount | null => {
    const amounts = of.filter((payment) => payment.type === type).map(({ amount }) => amount)
    return amounts.length === 0 ? null : BigDecimal.sumAll(amounts)
  }
  // Change is given back in cash, and this service is told what is kept.
  const theirs = (type: PaymentType): Amount | null => {
    const sum = sumOf(printed.payments, type)
    return sum === null || type !== "CASH" ? sum : BigDecimal.subtract(sum, change)
  }
  const types = [...new Set([...printed.payments, ...payments].map(({ type }) => type))].toSorted()
  return types.flatMap((type) => unlike(type, theirs(type), sumOf(payments, type)))
}

const taxDeviations = (printed: PrintedReceipt, taxes: ReadonlyArray<LabelTax>): ReadonlyArray<Deviation> => {
  const labels = [...new Set([...printed.taxes, ...taxes].map(({ label }) => label))].toSorted()
  return [
    ...labels.flatMap((label) => {
      const [theirs, ours] = [printed.taxes.find((tax) => tax.label === label), taxes.find((tax) => tax.label === label)]
      return [
        ...unlike(`rate ${label}`, theirs?.rate ?? null, ours?.rate ?? null),
        ...unlike(`tax ${label}`, theirs === undefined ? null : BigDecimal.abs(theirs.amount), ours === undefined ? null : printedTax(ours))
      ]
    }),
    ...unlike("total tax", BigDecimal.abs(printed.totalTax), printedTotalTax(taxes))
  ]
}

/**
 * Where the receipt of the other ESIR and the same sale tried here differ, to the para: each line's labels, price, quantity and amount, the total, each means of
 * payment, the buyer, and where the rates are known each rate and each tax as printed. Names are not compared: each program abbreviates its own way. `what` is
 * `items`, `item 2 price`, `total`, `CARD`, `buyer`, `rate Ђ`, `tax Ђ` or `total tax`.
 */
export const compareTrial = (printed: PrintedReceipt, tried: TriedSale): ReadonlyArray<Deviation> => {
  const sameCount = printed.items.length === tried.items.length
  return [
    ...(sameCount ? [] : [{ what: "items", theirs: String(printed.items.length), ours: String(tried.items.length) }]),
    ...(sameCount ? printed.items.flatMap((item, at) => tried.items[at] === undefined ? [] : itemDeviations(at + 1, item, tried.items[at])) : []),
    ...unlike("total", BigDecimal.abs(printed.total), totalAmount(tried.items)),
    ...paymentDeviations(printed, tried.payments),
    ...unlikeText("buyer", printed.buyer, tried.buyerId),
    ...(tried.taxes === null ? [] : taxDeviations(printed, tried.taxes))
  ]
}
