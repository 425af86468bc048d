import { BigDecimal, type DateTime, Result } from "effect"
import type { LineItem, Payment } from "../documents/LineItem.ts"
import { totalAmount } from "../money/rounding.ts"
import type { PrintedItem, PrintedReceipt } from "../receipt-text/readJournal.ts"
import { belgradeTime } from "../time/belgradeTime.ts"
import { type ElsewhereReceipt, mayCopyElsewhere } from "./ElsewhereReceipt.ts"
import { readElsewhereJournal } from "./readElsewhere.ts"

/** What the request of a copy takes from a receipt issued elsewhere; the place and the cashier are the caller's. */
export interface CopyOfElsewhere {
  readonly transactionType: ElsewhereReceipt["transactionType"]
  readonly buyerId: string | null
  readonly items: ReadonlyArray<Pick<LineItem, "name" | "unitOfMeasure" | "taxLabels"> & { readonly quantity: BigDecimal.BigDecimal; readonly unitPrice: BigDecimal.BigDecimal }>
  readonly payments: ReadonlyArray<Pick<Payment, "type"> & { readonly amount: BigDecimal.BigDecimal }>
  readonly reference: { readonly source: "EXTERNAL"; readonly pfrNumber: string; readonly pfrTime: string; readonly invoiceType: ElsewhereReceipt["invoiceType"]; readonly transactionType: ElsewhereReceipt["transactionType"] }
}

/** Why a request cannot be composed: of this kind there is no copy; only the link is known; the printed amounts do not sum to the total. */
export type NotCopied = "KIND" | "NO_TEXT" | "AMOUNTS"

/** `Књига/ком`, also with blanks about the stroke. Where no unit is printed, a piece is meant. */
const itemOf = ({ labels, name, quantity, unitPrice }: PrintedItem): CopyOfElsewhere["items"][number] => {
  const [, own = name, unit = "ком"] = /^(.*\S)\s*\/\s*([^/\s][^/]{0,49})$/s.exec(name) ?? []
  return { name: own, unitOfMeasure: unit, quantity, unitPrice, taxLabels: labels }
}

/** More was given than was to be paid: what was given back is taken off the cash. */
const paymentsOf = ({ change, payments }: PrintedReceipt): CopyOfElsewhere["payments"] => {
  let back = change ?? BigDecimal.make(0n, 2)
  return payments.flatMap(({ amount, type }) => {
    const taken = type === "CASH" ? BigDecimal.min(amount, back) : BigDecimal.make(0n, 2)
    back = BigDecimal.subtract(back, taken)
    const paid = BigDecimal.subtract(amount, taken)
    return BigDecimal.isZero(paid) ? [] : [{ type, amount: paid }]
  })
}

const reference = ({ invoiceType, pfrNumber, pfrTime, transactionType }: ElsewhereReceipt & { readonly pfrTime: DateTime.Utc }): CopyOfElsewhere["reference"] =>
  ({ source: "EXTERNAL", pfrNumber, pfrTime: belgradeTime(pfrTime), invoiceType, transactionType })

/** The copy of a receipt issued elsewhere, as its text prints it. Nothing is guessed: where the printed amounts do not sum to the signed total there is none. */
export const copyOfElsewhere = (receipt: ElsewhereReceipt): Result.Result<CopyOfElsewhere, NotCopied> => {
  if (!mayCopyElsewhere(receipt)) return Result.fail("KIND")
  const read = receipt.journal === null ? null : readElsewhereJournal(receipt.journal)
  if (read === null || Result.isFailure(read)) return Result.fail("NO_TEXT")
  const items = read.success.items.map(itemOf)
  const payments = paymentsOf(read.success)
  const paid = BigDecimal.sumAll(payments.map(({ amount }) => amount))
  const agree = BigDecimal.Equivalence(totalAmount(items), receipt.totalAmount) && BigDecimal.Equivalence(paid, receipt.totalAmount)
  return agree ? Result.succeed({ transactionType: receipt.transactionType, buyerId: receipt.buyerId, items, payments, reference: reference(receipt) }) : Result.fail("AMOUNTS")
}
