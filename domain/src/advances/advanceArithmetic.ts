import { BigDecimal, Result } from "effect"
import type { AdvanceClosing } from "../documents/DocumentContent.ts"
import type { LineItem, Payment } from "../documents/LineItem.ts"
import { maximumDinars } from "../money/Dinars.ts"
import { formatDecimal } from "../money/decimals.ts"
import { totalAmount } from "../money/rounding.ts"
import type { Fault } from "../requests/Fault.ts"
import { totalsFault } from "../requests/itemsField.ts"
import { printedTotalTax } from "../tax/taxByLabel.ts"
import type { ExternalAdvance } from "./AdvanceCase.ts"
import { type AdvanceSale, latestAdvance, standingAdvances } from "./advanceChain.ts"
import { AdvanceCaseHasNoFiscalizedSale, AdvanceCloseTotalMismatch } from "./errors.ts"

const zero = BigDecimal.fromBigInt(0n)

/** What was paid in advance and not cancelled, the external advance included, in dinars. Source: Decisions §5, Advance case. */
export const totalAdvance = (sales: ReadonlyArray<AdvanceSale>, external: ExternalAdvance | null): BigDecimal.BigDecimal =>
  BigDecimal.sumAll([...standingAdvances(sales).map((sale) => totalAmount(sale.items)), external?.amount ?? zero])

/** The tax on the advances that stand, as printed, and on the external one, in dinars. */
export const taxOnAdvance = (sales: ReadonlyArray<AdvanceSale>, external: ExternalAdvance | null): BigDecimal.BigDecimal => {
  const byLabel = new Map<string, BigDecimal.BigDecimal>()
  for (const tax of standingAdvances(sales).flatMap((sale) => sale.taxes)) {
    byLabel.set(tax.label, BigDecimal.sum(byLabel.get(tax.label) ?? zero, tax.amount))
  }
  return BigDecimal.sum(printedTotalTax([...byLabel.values()].map((amount) => ({ amount }))), external?.taxAmount ?? zero)
}

/** A requested closing: the goods delivered, and what is paid in addition to the advances. */
export interface ClosingAsked {
  readonly items: ReadonlyArray<LineItem>
  readonly remainingPayments: ReadonlyArray<Payment>
}

/**
 * Whether a case can be closed with these items and payments, and what is left to pay. `remainingPayments` must sum to the final total less the total
 * advance; where nothing remains it is one element with amount 0. Source: Spec, advance-cases; Decisions §5, Advance case.
 */
export const checkClosing = (
  sales: ReadonlyArray<AdvanceSale>,
  external: ExternalAdvance | null,
  asked: ClosingAsked
): Result.Result<BigDecimal.BigDecimal, AdvanceCaseHasNoFiscalizedSale | AdvanceCloseTotalMismatch> => {
  if (latestAdvance(sales) === null && external === null) return Result.fail(new AdvanceCaseHasNoFiscalizedSale({}))
  const finalTotal = totalAmount(asked.items)
  const advance = totalAdvance(sales, external)
  const expected = BigDecimal.subtract(finalTotal, advance)
  const remaining = BigDecimal.sumAll(asked.remainingPayments.map((payment) => payment.amount))
  const singleZero = !BigDecimal.isZero(expected) || asked.remainingPayments.length === 1
  return BigDecimal.equals(remaining, expected) && singleZero
    ? Result.succeed(expected)
    : Result.fail(
      new AdvanceCloseTotalMismatch({ finalTotal, totalAdvance: advance, expected, remainingPayments: remaining })
    )
}

/**
 * What is printed below the closing line of the final sale: the last advance receipt, what was paid in advance, the tax on it and what is left to
 * pay. Null when nothing was paid in advance. Source: Decisions §5, Advance case; V-PFR §8.5.
 */
export const advanceClosing = (
  sales: ReadonlyArray<AdvanceSale>,
  external: ExternalAdvance | null,
  remaining: BigDecimal.BigDecimal
): AdvanceClosing | null => {
  const last = lastAdvance(sales, external)
  return last === null ? null : {
    lastAdvanceNumber: last.number,
    lastAdvanceTime: last.time,
    totalAdvance: totalAdvance(sales, external),
    taxOnAdvance: taxOnAdvance(sales, external),
    remaining
  }
}

const lastAdvance = (
  sales: ReadonlyArray<AdvanceSale>,
  external: ExternalAdvance | null
): { readonly number: string; readonly time: string } | null => {
  const signed = latestAdvance(sales)?.pfr ?? null
  if (signed !== null) return { number: signed.invoiceNumber, time: signed.sdcTime }
  return external === null ? null : { number: external.documentNumber, time: external.documentTime }
}

/**
 * The fault of a payment that would raise the total advance above the largest total of one document; null when it fits. The Advance Refund of the
 * closing gives the whole advance back in one document, so a larger advance could be taken but never closed. Source: Decisions §1, Bounds.
 */
export const advanceLimitFault = (
  sales: ReadonlyArray<AdvanceSale>,
  external: ExternalAdvance | null,
  items: ReadonlyArray<LineItem>
): Fault | null => {
  const total = BigDecimal.sum(totalAdvance(sales, external), totalAmount(items))
  return BigDecimal.isGreaterThan(total, maximumDinars)
    ? totalsFault(`the advances of the case must come to at most ${formatDecimal(maximumDinars, 2)} together, not ${formatDecimal(total, 2)}`)
    : null
}
