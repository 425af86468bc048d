import { BigDecimal } from "effect"
import { divideRounding, parasOf, type PricedLine, roundToPara, unitsOf } from "../money/rounding.ts"
import type { TaxRate, TaxRateGroup } from "./TaxRateGroup.ts"

/** A tax amount of a document, four decimals, with the rate it comes from. */
export interface LabelTax extends TaxRate {
  readonly amount: BigDecimal.BigDecimal
}

type Taxed = PricedLine & { readonly taxLabels: ReadonlyArray<string> }

/** The facts that the taxes of one set of labels share, whatever the item. */
interface LabelSet {
  /** Rates on the net, on the total, and per unit: the category types 0, 1 and 2. */
  readonly byType: ReadonlyArray<ReadonlyArray<TaxRate>>
  /** 10 000 and (100 + the sum of rates on the net) × (100 + the sum of rates on the total), both in the same units. */
  readonly whole: bigint
  readonly divisor: bigint
}

const labelSet = (rates: ReadonlyArray<TaxRate>): LabelSet => {
  const byType = [0, 1, 2].map((type) => rates.filter((rate) => rate.categoryType === type))
  // In units that are small enough for every rate, so that nothing is rounded.
  const scale = Math.max(0, ...rates.map(({ rate }) => rate.scale))
  const hundred = unitsOf({ value: 100n, scale: 0 }, scale)
  const [net = hundred, total = hundred] = byType.map((some) => some.reduce((sum, { rate }) => sum + unitsOf(rate, scale), hundred))
  return { byType, whole: hundred * hundred, divisor: net * total }
}

/** The sums of taxes by rate, in ten-thousandths. */
type Sums = Map<TaxRate, bigint>

/** Adds one item's tax for each rate, `rate × value`, whose decimals are those of the rate and `scale` more, and answers their sum. */
const chargeEach = (rates: ReadonlyArray<TaxRate> = [], value: bigint, scale: number, sums: Sums): bigint =>
  rates.reduce((together, rate) => {
    const amount = unitsOf({ value: rate.rate.value * value, scale: rate.rate.scale + scale }, 4)
    sums.set(rate, (sums.get(rate) ?? 0n) + amount)
    return together + amount
  }, 0n)

/**
 * The taxes of one item by label, in whole numbers of ten-thousandths: the V-PFR computes each step to four decimals, half away from zero
 * (V-PFR §6.2, steps 1 to 5). No digit of the net amount is lost before its rounding.
 */
const chargeItem = (item: Taxed, { byType: [onNet, onTotal, perUnit], divisor, whole }: LabelSet, sums: Sums): void => {
  const withoutUnits = parasOf(item) * 100n - chargeEach(perUnit, item.quantity.value, item.quantity.scale, sums)
  const net = divideRounding(withoutUnits * whole, divisor)
  // Ten-thousandths, and rates in percent: six decimals.
  const withNetTaxes = net + chargeEach(onNet, net, 6, sums)
  chargeEach(onTotal, withNetTaxes, 6, sums)
}

/** Labels in the order in which the V-PFR reports them: by code point, as each is a letter. A document has each label only once. */
// Stryker disable next-line EqualityOperator: no two labels are the same.
const byLabel = (one: LabelTax, other: LabelTax): number => (one.label < other.label ? -1 : 1)

/**
 * The taxes of a document by label, four decimals, zero-rated labels too, sorted by label: what the V-PFR signs, recomputed here and compared with
 * its answer. Labels that are not in the group are left out; the V-PFR refuses them.
 *
 * Source: V-PFR §6.2, with the order of its vectors.
 */
export const taxByLabel = (items: ReadonlyArray<Taxed>, group: TaxRateGroup): ReadonlyArray<LabelTax> => {
  const rateOf = new Map(group.rates.map((rate) => [rate.label, rate]))
  const sets = new Map<string, LabelSet>()
  const labelsOf = ({ taxLabels }: Taxed): LabelSet => {
    const key = taxLabels.join(" ")
    const known = sets.get(key) ?? labelSet(taxLabels.flatMap((label) => rateOf.get(label) ?? []))
    // Stryker disable next-line CallExpression: only quicker.
    sets.set(key, known)
    return known
  }
  const sums: Sums = new Map()
  for (const item of items) chargeItem(item, labelsOf(item), sums)
  return Array.from(sums, ([rate, amount]) => ({ ...rate, amount: BigDecimal.make(amount, 4) })).sort(byLabel)
}

/** The exact sum of tax amounts: `pfr.totalTax` (Decisions §5, Values). */
export const totalTax = (taxes: ReadonlyArray<{ readonly amount: BigDecimal.BigDecimal }>): BigDecimal.BigDecimal =>
  BigDecimal.sumAll(taxes.map((tax) => tax.amount))

type Amount = { readonly amount: BigDecimal.BigDecimal }

/** A tax amount as printed on a receipt: the four-decimal sum of its label, rounded to the para (V-PFR §6.3). */
export const printedTax = (tax: Amount): BigDecimal.BigDecimal => roundToPara(tax.amount)

/**
 * The total tax as printed: the sum of the already rounded label amounts, not the rounded sum (V-PFR §6.3).
 *
 * @example 10.3082 and 107.3266 print as 10.31, 107.33 and 117.64
 */
export const printedTotalTax = (taxes: ReadonlyArray<Amount>): BigDecimal.BigDecimal =>
  BigDecimal.sumAll(taxes.map(printedTax))
