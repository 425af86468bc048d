import { BigDecimal, Option } from "effect"
import { advanceLiteral } from "../documents/signedItemName.ts"
import type { LineItem, Payment, PaymentType } from "../documents/LineItem.ts"
import { Dinars, Quantity } from "../money/Dinars.ts"
import { lineAmount } from "../money/rounding.ts"
import type { DocumentReference } from "../references/ReferencedDocument.ts"
import type { Environment } from "../tenancy/Environment.ts"
import { advanceReference, type AdvanceSale, chainReference, type StandingAdvance, standingAdvances } from "./advanceChain.ts"

/** The fiscal content of an Advance Refund that the service composes. */
export interface AdvanceRefundContent {
  readonly items: ReadonlyArray<LineItem>
  readonly payments: ReadonlyArray<Payment>
  readonly reference: DocumentReference
}

/**
 * The Advance Refund of a closing: everything paid in advance and not cancelled, items one per label, payments one per type, referring
 * to the last Advance Sale; null when no advance of ours stands. Source: Decisions §5, Advance case; V-PFR §8.7.
 */
export const composeAdvanceRefund = (
  sales: ReadonlyArray<AdvanceSale>,
  environment: Environment
): AdvanceRefundContent | null => {
  const reference = chainReference(sales)
  if (reference === null) return null
  const standing = standingAdvances(sales)
  return {
    items: itemPerLabel(standing.flatMap((sale) => sale.items), environment),
    payments: paymentPerType(standing.flatMap((sale) => sale.payments)),
    reference
  }
}

/** The Advance Refund that cancels one advance. It repeats the advance's items and payments and refers to it. Source: Decisions §5, Advance case. */
export const composeCancellation = (target: StandingAdvance): AdvanceRefundContent => ({
  items: target.items,
  payments: target.payments,
  reference: advanceReference(target)
})

const add = <Key>(sums: Map<Key, BigDecimal.BigDecimal>, key: Key, amount: BigDecimal.BigDecimal): void => {
  const before = sums.get(key)
  sums.set(key, before === undefined ? amount : BigDecimal.sum(before, amount))
}

const itemPerLabel = (items: ReadonlyArray<LineItem>, environment: Environment): ReadonlyArray<LineItem> => {
  const sums = new Map<string, BigDecimal.BigDecimal>()
  for (const item of items) add(sums, JSON.stringify([...item.taxLabels].sort()), lineAmount(item))
  return [...sums].map(([labels, amount]) => advanceItem(JSON.parse(labels) as ReadonlyArray<string>, amount, environment))
}

// An item taxed under several labels has no prescribed literal. It gets a plain name and a unit, like any other item.
const advanceItem = (labels: ReadonlyArray<string>, amount: BigDecimal.BigDecimal, environment: Environment): LineItem => {
  const literal = labels.length === 1 ? advanceLiteral(labels[0] ?? "", environment) : Option.none<string>()
  return {
    name: Option.getOrElse(literal, () => `Аванс (${labels.join(", ")})`),
    unitOfMeasure: Option.isSome(literal) ? null : "ком",
    quantity: Quantity.make(BigDecimal.fromBigInt(1n)),
    unitPrice: Dinars.make(amount),
    unitPriceBeforeDiscount: null,
    gtin: null,
    catalogProductId: null,
    taxLabels: labels,
    originalLineIndex: null
  }
}

const paymentPerType = (payments: ReadonlyArray<Payment>): ReadonlyArray<Payment> => {
  const sums = new Map<PaymentType, BigDecimal.BigDecimal>()
  for (const payment of payments) add(sums, payment.type, payment.amount)
  return [...sums].map(([type, amount]) => ({ type, amount }))
}
