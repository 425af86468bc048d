import { divideRounded } from "../exactDecimal.ts"
import type { CategoryType, LabelRate } from "./TaxRateGroup.ts"

export interface TaxedItem {
  /** Thousandths. */
  readonly quantity: bigint
  /** Hundredths of a dinar. */
  readonly totalAmount: bigint
  readonly labels: ReadonlyArray<string>
}

export interface TaxItem {
  readonly label: string
  readonly categoryName: string
  readonly categoryType: CategoryType
  /** Hundredths, as in the tax rate group. */
  readonly rate: number
  /** Ten-thousandths of a dinar. */
  readonly amount: bigint
}

/** Hundredths of a percent in one whole. */
const whole = 10_000n

const sum = (values: ReadonlyArray<bigint>): bigint => values.reduce((total, value) => total + value, 0n)

/**
 * The taxes inside one item's gross amount, each rounded half away from zero to four decimals (V-PFR §6.2): amounts per quantity are deducted first,
 * then net is what tax-on-total and tax-on-net leave.
 */
const itemTaxes = (item: TaxedItem, rates: ReadonlyArray<LabelRate>): ReadonlyArray<bigint> => {
  const rateOf = (rate: LabelRate): bigint => BigInt(rate.rate)
  const perQuantity = rates.map((rate) =>
    rate.categoryType === 2 ? divideRounded(rateOf(rate) * item.quantity, 10n) : 0n
  )
  const rest = item.totalAmount * 100n - sum(perQuantity)
  const onTotal = whole + sum(rates.filter((rate) => rate.categoryType === 1).map(rateOf))
  const onNet = whole + sum(rates.filter((rate) => rate.categoryType === 0).map(rateOf))
  const net = divideRounded(rest * whole * whole, onTotal * onNet)
  const netTaxes = rates.map((rate) => rate.categoryType === 0 ? divideRounded(net * rateOf(rate), whole) : 0n)
  const taxable = net + sum(netTaxes)
  return rates.map((rate, index) => {
    if (rate.categoryType === 2) return perQuantity[index] ?? 0n
    return rate.categoryType === 0 ? netTaxes[index] ?? 0n : divideRounded(taxable * rateOf(rate), whole)
  })
}

export const labelOrders = ["first-use", "code-point"] as const

/**
 * The order of labels in an answer and on paper. The documents say "by label", but both published production receipts with two labels print Е before
 * Ђ, which is the order of their items and of no alphabet (V-PFR §3, §6.3, §8.8 B).
 */
export type LabelOrder = (typeof labelOrders)[number]

/** One entry per label used, zero rates too (V-PFR §3). Every label must be in `rates`. */
export const taxItems = (
  items: ReadonlyArray<TaxedItem>,
  rates: ReadonlyMap<string, LabelRate>,
  order: LabelOrder = "first-use"
): ReadonlyArray<TaxItem> => {
  const totals = new Map<string, TaxItem>()
  for (const item of items) {
    const applied = [...new Set(item.labels)].flatMap((label) => rates.get(label) ?? [])
    itemTaxes(item, applied).forEach((amount, index) => {
      const rate = applied[index]
      if (rate === undefined) return
      const { categoryName, categoryType, label } = rate
      const before = totals.get(label)?.amount ?? 0n
      totals.set(label, { label, categoryName, categoryType, rate: rate.rate, amount: before + amount })
    })
  }
  const inUse = [...totals.values()]
  return order === "first-use" ? inUse : inUse.toSorted((a, b) => (a.label < b.label ? -1 : 1))
}
