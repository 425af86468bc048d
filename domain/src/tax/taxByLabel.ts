import { BigDecimal } from "effect"
import { lineAmount } from "../money/lineAmount.ts"
import { roundHalfAwayFromZero } from "../money/rounding.ts"
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
  const magnitude = numerator < 0n ? -numerator : numerator
  const rounded = (2n * magnitude + denominator) / (2n * denominator)
  return BigDecimal.make(numerator < 0n ? -rounded : rounded, 4)
}

/** What the taxes of one set of labels have in common, whatever the item. */
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

/** The taxes of one item by label (V-PFR §6.2, steps 1 to 5). */
const taxesOfItem = (item: Taxed, labels: LabelSet): ReadonlyArray<LabelTax> => {
  const perUnit = labels.perUnit.map((rate) => ({ ...rate, amount: toFour(BigDecimal.multiply(rate.rate, item.quantity)) }))
  const rest = BigDecimal.subtract(lineAmount(item), sumOf(perUnit.map((tax) => tax.amount)))
  const net = divideToFour(rest, labels.divisor)
  const netTaxes = labels.onNet.map((rate) => ({ ...rate, amount: toFour(BigDecimal.multiply(net, factorOf(rate.rate))) }))
  const beforeTotalTax = BigDecimal.sum(net, sumOf(netTaxes.map((tax) => tax.amount)))
  const totalTaxes = labels.onTotal.map((rate) => ({
    ...rate,
    amount: toFour(BigDecimal.multiply(beforeTotalTax, factorOf(rate.rate)))
  }))
  return [...perUnit, ...netTaxes, ...totalTaxes]
}

/** Labels in the order the V-PFR reports them: by code point, as each is a letter. No two of a document's are the same. */
const byLabel = (one: LabelTax, other: LabelTax): number => (one.label < other.label ? -1 : 1)

/**
 * The taxes of a document by label, four decimals, zero-rated labels too, sorted by label: what the V-PFR signs, computed on our side
 * to be compared with its answer. Labels the group does not know are left out; the V-PFR refuses them.
 *
 * Source: V-PFR §6.2, with the order of its vectors.
 */
export const taxByLabel = (items: ReadonlyArray<Taxed>, group: TaxRateGroup): ReadonlyArray<LabelTax> => {
  const rateOf = new Map(group.rates.map((rate) => [rate.label, rate]))
  const sets = new Map<string, LabelSet>()
  const labelsOf = ({ taxLabels }: Taxed): LabelSet => {
    const key = taxLabels.join(" ")
    const known = sets.get(key) ?? labelSet(taxLabels.flatMap((label) => rateOf.get(label) ?? []))
    sets.set(key, known)
    return known
  }
  const sums = new Map<string, LabelTax>()
  for (const item of items) {
    for (const tax of taxesOfItem(item, labelsOf(item))) {
      const before = sums.get(tax.label)
      sums.set(tax.label, before === undefined ? tax : { ...before, amount: BigDecimal.sum(before.amount, tax.amount) })
    }
  }
  return [...sums.values()].sort(byLabel)
}

/** The exact sum of tax amounts: `pfr.totalTax` (Decisions §5, Values). */
export const totalTax = (taxes: ReadonlyArray<{ readonly amount: BigDecimal.BigDecimal }>): BigDecimal.BigDecimal =>
  sumOf(taxes.map((tax) => tax.amount))
