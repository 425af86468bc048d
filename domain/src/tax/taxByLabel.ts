import { BigDecimal } from "effect"
import { lineAmount, roundHalfAwayFromZero, roundToPara } from "../money/rounding.ts"
import type { TaxRate, TaxRateGroup } from "./TaxRateGroup.ts"

/** A tax amount of a document, four decimals, with the rate it comes from. */
export interface LabelTax extends TaxRate {
  readonly amount: BigDecimal.BigDecimal
}

type Taxed = Parameters<typeof lineAmount>[0] & { readonly taxLabels: ReadonlyArray<string> }

const zero = BigDecimal.fromBigInt(0n)
const one = BigDecimal.fromBigInt(1n)

/** The V-PFR computes each step to four decimals, half away from zero (V-PFR §6.2). */
const toFour = (value: BigDecimal.BigDecimal): BigDecimal.BigDecimal => roundHalfAwayFromZero(value, 4)

/** A percentage as a factor: 20 → 0.20, exactly. */
const factorOf = (rate: BigDecimal.BigDecimal): BigDecimal.BigDecimal => BigDecimal.make(rate.value, rate.scale + 2)

const ofType = (rates: ReadonlyArray<TaxRate>, type: TaxRate["categoryType"]): ReadonlyArray<TaxRate> =>
  rates.filter((rate) => rate.categoryType === type)

const sumOf = (amounts: ReadonlyArray<BigDecimal.BigDecimal>): BigDecimal.BigDecimal => amounts.reduce(BigDecimal.sum, zero)

/** `dividend / divisor` to four decimals, half away from zero, in whole numbers: no digit is lost before the rounding. */
const divideToFour = (dividend: BigDecimal.BigDecimal, divisor: BigDecimal.BigDecimal): BigDecimal.BigDecimal => {
  const scale = Math.max(dividend.scale, divisor.scale)
  const numerator = BigDecimal.scale(dividend, scale).value * 10_000n
  const denominator = BigDecimal.scale(divisor, scale).value
  // Stryker disable next-line EqualityOperator: zero has no sign.
  const magnitude = numerator < 0n ? -numerator : numerator
  const rounded = (2n * magnitude + denominator) / (2n * denominator)
  // Stryker disable next-line EqualityOperator: zero has no sign.
  return BigDecimal.make(numerator < 0n ? -rounded : rounded, 4)
}

/** The facts that the taxes of one set of labels share, whatever the item. */
interface LabelSet {
  readonly perUnit: ReadonlyArray<TaxRate>
  readonly onNet: ReadonlyArray<TaxRate>
  readonly onTotal: ReadonlyArray<TaxRate>
  /** (1 + the sum of rates on the net) × (1 + the sum of rates on the total). */
  readonly divisor: BigDecimal.BigDecimal
}

const labelSet = (rates: ReadonlyArray<TaxRate>): LabelSet => {
  const onNet = ofType(rates, 0)
  const onTotal = ofType(rates, 1)
  const netFactor = BigDecimal.sum(one, factorOf(sumOf(onNet.map((rate) => rate.rate))))
  const totalFactor = BigDecimal.sum(one, factorOf(sumOf(onTotal.map((rate) => rate.rate))))
  return { perUnit: ofType(rates, 2), onNet, onTotal, divisor: BigDecimal.multiply(totalFactor, netFactor) }
}

type Charge = (rate: TaxRate, amount: BigDecimal.BigDecimal) => void

/** Computes one item's tax for each rate, and answers their sum. */
const chargeEach = (
  rates: ReadonlyArray<TaxRate>,
  amountOf: (rate: BigDecimal.BigDecimal) => BigDecimal.BigDecimal,
  charge: Charge
): BigDecimal.BigDecimal => {
  let sum = zero
  for (const rate of rates) {
    const amount = toFour(amountOf(rate.rate))
    charge(rate, amount)
    sum = BigDecimal.sum(sum, amount)
  }
  return sum
}

/** The taxes of one item by label (V-PFR §6.2, steps 1 to 5). */
const chargeItem = (item: Taxed, labels: LabelSet, charge: Charge): void => {
  const perUnit = chargeEach(labels.perUnit, (rate) => BigDecimal.multiply(rate, item.quantity), charge)
  const net = divideToFour(BigDecimal.subtract(lineAmount(item), perUnit), labels.divisor)
  const onNet = chargeEach(labels.onNet, (rate) => BigDecimal.multiply(net, factorOf(rate)), charge)
  const beforeTotalTax = BigDecimal.sum(net, onNet)
  chargeEach(labels.onTotal, (rate) => BigDecimal.multiply(beforeTotalTax, factorOf(rate)), charge)
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
  const sums = new Map<TaxRate, BigDecimal.BigDecimal>()
  const charge: Charge = (rate, amount) => {
    const before = sums.get(rate)
    sums.set(rate, before === undefined ? amount : BigDecimal.sum(before, amount))
  }
  for (const item of items) chargeItem(item, labelsOf(item), charge)
  return Array.from(sums, ([rate, amount]) => ({ ...rate, amount })).sort(byLabel)
}

/** The exact sum of tax amounts: `pfr.totalTax` (Decisions §5, Values). */
export const totalTax = (taxes: ReadonlyArray<{ readonly amount: BigDecimal.BigDecimal }>): BigDecimal.BigDecimal =>
  sumOf(taxes.map((tax) => tax.amount))

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
