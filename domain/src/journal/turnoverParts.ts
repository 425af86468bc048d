import { BigDecimal, DateTime, Option } from "effect"
import { isTurnoverType } from "../documents/isTurnoverType.ts"
import type { Payment, PaymentType } from "../documents/LineItem.ts"
import { parasOf, type PricedLine, unitsOf } from "../money/rounding.ts"
import type { Operation } from "../operations/Operation.ts"
import { pfrInstant } from "../time/PfrTime.ts"
import { belgradeDay, belgradeDayRange } from "../time/belgradeTime.ts"
import type { TimeRange } from "./JournalFilter.ts"
import { type DividedTax, labelSetOf, labelsIn, taxWeights } from "./labelSets.ts"

/** The parts of a document that decide its turnover; every `Operation` has them. */
export interface TurnoverDocument extends Pick<Operation, "businessPremiseId" | "status"> {
  readonly content: Pick<Operation["content"], "invoiceType" | "transactionType"> & {
    readonly items: ReadonlyArray<PricedLine & { readonly taxLabels: ReadonlyArray<string> }>
    readonly payments: ReadonlyArray<Payment>
    readonly advanceClosing: { readonly totalAdvance: BigDecimal.BigDecimal } | null
    readonly cashier: { readonly id: string }
  }
  readonly answer: {
    readonly pfr: { readonly sdcTime: string }
    readonly taxes: ReadonlyArray<DividedTax>
  } | null
}

/** A share of one receipt: the part taxed under one set of labels and paid in one way. Amounts of a refund are negative. */
export interface TurnoverPart {
  /** One label, or several of one item separated by `, `. */
  readonly taxLabel: string
  /** Null: applied from advances, which is no payment of this receipt. */
  readonly paymentType: PaymentType | null
  readonly paras: bigint
  /** By label, in ten-thousandths of a dinar. */
  readonly taxes: ReadonlyMap<string, bigint>
}

/** A receipt as the report sees it. */
export interface TurnoverReceipt {
  /** The Belgrade day of its `sdcTime`, `2026-08-29`. */
  readonly day: string
  /** Its Belgrade month, `2026-08`. */
  readonly month: string
  readonly premise: string
  readonly cashier: string
  readonly parts: ReadonlyArray<TurnoverPart>
}

const add = <Key>(sums: Map<Key, bigint>, key: Key, amount: bigint): void => {
  sums.set(key, (sums.get(key) ?? 0n) + amount)
}

/** The money of a receipt by set of labels. */
const byLabels = ({ content }: TurnoverDocument): ReadonlyMap<string, bigint> => {
  const sums = new Map<string, bigint>()
  for (const item of content.items) add(sums, labelSetOf(item), parasOf(item))
  return sums
}

/** The money of a receipt by where it came from; null is what was paid in advance (Decisions §5, Advance case: closing). */
const bySource = ({ content }: TurnoverDocument): ReadonlyMap<PaymentType | null, bigint> => {
  const sums = new Map<PaymentType | null, bigint>()
  for (const payment of content.payments) add(sums, payment.type, unitsOf(payment.amount, 2))
  if (content.advanceClosing !== null) add(sums, null, unitsOf(content.advanceClosing.totalAdvance, 2))
  return sums
}

interface Share {
  readonly taxLabel: string
  readonly paymentType: PaymentType | null
  readonly paras: bigint
  readonly taxes: Map<string, bigint>
}

const sharesOf = (operation: TurnoverDocument): ReadonlyArray<Share> => {
  const labels = [...byLabels(operation)]
  const sources = [...bySource(operation)]
  const table = spread(labels.map(([, paras]) => paras), sources.map(([, paras]) => paras))
  return labels.flatMap(([taxLabel], row) =>
    sources.map(([paymentType], column) => ({ taxLabel, paymentType, paras: table[row]?.[column] ?? 0n, taxes: new Map() }))
  )
}

/**
 * Distributes each signed tax over the shares taxed under its label, in proportion to what the V-PFR charges on them; one whose label is on no line over all,
 * in proportion to their money.
 */
const giveTaxes = (taxes: ReadonlyArray<DividedTax>, items: TurnoverDocument["content"]["items"], shares: ReadonlyArray<Share>): void => {
  for (const tax of taxes) {
    const taxed = shares.filter((share) => labelsIn(share.taxLabel).includes(tax.label))
    const bearers = taxed.length === 0 ? shares : taxed
    const weights = taxed.length === 0 ? shares.map(({ paras }) => paras) : taxWeights(tax, taxed, items, taxes)
    const amounts = apportion(unitsOf(tax.amount, 4), weights)
    bearers.forEach((share, at) => add(share.taxes, tax.label, amounts[at] ?? 0n))
  }
}

/** Whether a document counts: receipts of sales and advances and their refunds, never copies, proforma or training. */
export const countsAsTurnover = ({ status, content }: TurnoverDocument): boolean =>
  status === "FISCALIZED" && isTurnoverType(content.invoiceType)

/** A document as the turnover report sees it; null where it is no turnover. Source: Decisions §5, Reports. */
export const turnoverReceipt = (operation: TurnoverDocument): TurnoverReceipt | null => {
  const { answer } = operation
  if (answer === null || !countsAsTurnover(operation)) return null
  const instant = pfrInstant(answer.pfr.sdcTime)
  if (Option.isNone(instant)) return null
  const shares = sharesOf(operation)
  giveTaxes(answer.taxes, operation.content.items, shares)
  const day = belgradeDay(instant.value)
  const sign = operation.content.transactionType === "REFUND" ? -1n : 1n
  return {
    day,
    month: day.slice(0, 7),
    premise: operation.businessPremiseId,
    cashier: operation.content.cashier.id,
    parts: shares.map((share) => ({
      ...share,
      paras: sign * share.paras,
      taxes: new Map([...share.taxes].map(([label, amount]) => [label, sign * amount]))
    }))
  }
}

const roundedQuotient = (dividend: bigint, divisor: bigint): bigint => (2n * dividend + divisor) / (2n * divisor)

/**
 * Splits a whole number in proportion to weights. The parts are whole numbers, and their sum is the whole. Where all weights are 0, the first part is
 * the whole.
 *
 * @param whole Not negative, as are the weights.
 * @example apportion(100n, [1n, 1n, 1n]) // [33n, 34n, 33n]
 */
export const apportion = (whole: bigint, weights: ReadonlyArray<bigint>): ReadonlyArray<bigint> => {
  const total = weights.reduce((sum, weight) => sum + weight, 0n)
  if (total === 0n) return weights.map((_, at) => (at === 0 ? whole : 0n))
  let weighed = 0n
  let given = 0n
  return weights.map((weight) => {
    weighed += weight
    const upToHere = roundedQuotient(whole * weighed, total)
    const part = upToHere - given
    given = upToHere
    return part
  })
}

/**
 * A table of whole numbers with given sums of its rows and of its columns. Each row is spread over the columns in proportion to what the columns
 * still lack. Both kinds of sums are exact where their totals are equal.
 *
 * @example spread([50n, 50n], [30n, 70n]) // [[15n, 35n], [15n, 35n]]
 */
export const spread = (rows: ReadonlyArray<bigint>, columns: ReadonlyArray<bigint>): ReadonlyArray<ReadonlyArray<bigint>> => {
  let left = columns
  return rows.map((row) => {
    const parts = apportion(row, left)
    left = left.map((column, at) => column - (parts[at] ?? 0n))
    return parts
  })
}

/** A range of time as whole days and what is left of it. Every instant of the range is in one of them, and no other instant is. */
export interface WholeDays {
  /** From a Belgrade day, `2026-08-29`, up to but without another; null is unbounded. Null where the range has no whole day. */
  readonly days: { readonly from: string | null; readonly before: string | null } | null
  /** What comes before the first whole day and after the last one; the range itself where it has no whole day. */
  readonly rest: ReadonlyArray<TimeRange>
}

/** The first beginning of a day that is not before an instant. */
const firstBegin = (instant: DateTime.Utc): DateTime.Utc => {
  const { from, to } = belgradeDayRange(instant)
  return DateTime.isLessThan(from, instant) ? to : from
}

/** Days are compared as texts, which is right up to the year 9999. */
const lastBegin = belgradeDayRange(DateTime.makeUnsafe("9999-12-31T12:00:00Z")).from

/** The whole Belgrade days of a range of time. */
export const wholeDays = (range: TimeRange): WholeDays => {
  const from = range.from === null ? null : firstBegin(range.from)
  const before = range.to === null ? null : DateTime.min(belgradeDayRange(range.to).from, lastBegin)
  if (from !== null && DateTime.isGreaterThanOrEqualTo(from, before ?? lastBegin)) return { days: null, rest: [range] }
  return {
    days: { from: from === null ? null : belgradeDay(from), before: before === null ? null : belgradeDay(before) },
    // Nothing is left where the bound begins a day, or where there is no bound.
    rest: [{ from: range.from, to: from }, { from: before, to: range.to }].filter(({ from, to }) => from?.epochMilliseconds !== to?.epochMilliseconds)
  }
}
