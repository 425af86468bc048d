import type { SignedTax } from "../documents/PfrResult.ts"
import { parasOf, type PricedLine, unitsOf } from "../money/rounding.ts"

type LabelledLine = PricedLine & { readonly taxLabels: ReadonlyArray<string> }

/** A signed tax as far as its division over the sets of labels needs it. */
export type DividedTax = Pick<SignedTax, "amount" | "categoryType" | "label" | "rate">

const separator = ", "

/** The labels of a line as one text, the same in any order. */
export const labelSetOf = ({ taxLabels }: Pick<LabelledLine, "taxLabels">): string => [...taxLabels].sort().join(separator)

export const labelsIn = (set: string): ReadonlyArray<string> => set.split(separator)

/** A part of some whole, without a rounding. */
interface Fraction {
  readonly part: bigint
  readonly of: bigint
}

const sumOf = <A>(some: ReadonlyArray<A>, amountOf: (one: A) => bigint): bigint => some.reduce((sum, one) => sum + amountOf(one), 0n)

/** 100 and the rates of a category type, in units of `decimals`. */
const hundredAnd = (rates: ReadonlyArray<DividedTax>, categoryType: number, decimals: number): bigint =>
  sumOf(rates.filter((rate) => rate.categoryType === categoryType), ({ rate }) => unitsOf(rate, decimals)) + unitsOf({ value: 100n, scale: 0 }, decimals)

/** A tax per unit of what the lines have, in ten-thousandths (V-PFR §6.2, step 1). */
const perUnit = (lines: ReadonlyArray<LabelledLine>, { rate }: DividedTax): bigint =>
  sumOf(lines, ({ quantity }) => unitsOf({ value: rate.value * quantity.value, scale: rate.scale + quantity.scale }, 4))

/**
 * How much of a tax a para of lines of one set of labels has, but for a factor that is the same for all sets. A rate on the net is charged on what remains of
 * the money without the taxes per unit, divided by (100 + the rates on the net) and (100 + the rates on the total); a rate on the total on the same with the
 * taxes on the net. Source: V-PFR §6.2, steps 1 to 5.
 */
const chargedPerPara = (tax: DividedTax, lines: ReadonlyArray<LabelledLine>, rates: ReadonlyArray<DividedTax>, decimals: number): Fraction => {
  const money = 100n * sumOf(lines, parasOf)
  if (tax.categoryType === 2) return { part: perUnit(lines, tax), of: money }
  const part = money - sumOf(rates.filter(({ categoryType }) => categoryType === 2), (rate) => perUnit(lines, rate))
  const onTotal = hundredAnd(rates, 1, decimals)
  return { part, of: money * (tax.categoryType === 1 ? onTotal : onTotal * hundredAnd(rates, 0, decimals)) }
}

const isKnown = ({ categoryType }: DividedTax): boolean => categoryType === 0 || categoryType === 1 || categoryType === 2

/** What each set has of a tax; undefined where a rate of one of them is not signed, or is none that V-PFR §6.1 describes. */
const chargesOf = (sets: ReadonlyArray<string>, tax: DividedTax, items: ReadonlyArray<LabelledLine>, taxes: ReadonlyArray<DividedTax>): ReadonlyMap<string, Fraction> | undefined => {
  const decimals = Math.max(0, ...taxes.map(({ rate }) => rate.scale))
  const charges = new Map<string, Fraction>()
  for (const set of sets) {
    const rates = labelsIn(set).map((label) => taxes.find((one) => one.label === label))
    const signed = rates.filter((rate) => rate !== undefined && isKnown(rate)) as ReadonlyArray<DividedTax>
    if (signed.length < rates.length) return undefined
    const charge = chargedPerPara(tax, items.filter((item) => labelSetOf(item) === set), signed, decimals)
    if (charge.part < 0n || charge.of <= 0n) return undefined
    charges.set(set, charge)
  }
  return charges
}

/**
 * The weights by which a signed tax is divided over shares of a receipt, whole numbers: their money, and where its label is in several sets of labels, their
 * money by what the V-PFR charges on it, brought to one denominator.
 */
export const taxWeights = <Share extends { readonly taxLabel: string; readonly paras: bigint }>(
  tax: DividedTax,
  shares: ReadonlyArray<Share>,
  items: ReadonlyArray<LabelledLine>,
  taxes: ReadonlyArray<DividedTax>
): ReadonlyArray<bigint> => {
  const money = shares.map(({ paras }) => paras)
  const sets = [...new Set(shares.filter(({ paras }) => paras !== 0n).map(({ taxLabel }) => taxLabel))]
  const charges = sets.length > 1 ? chargesOf(sets, tax, items, taxes) : undefined
  if (charges === undefined) return money
  const denominator = [...charges.values()].reduce((product, { of }) => product * of, 1n)
  const weights = shares.map(({ paras, taxLabel }) => {
    const { of, part } = charges.get(taxLabel) ?? { part: 0n, of: 1n }
    return paras * part * (denominator / of)
  })
  return weights.some((weight) => weight > 0n) ? weights : money
}
