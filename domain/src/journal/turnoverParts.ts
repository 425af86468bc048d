import { BigDecimal, Option } from "effect"
import type { Payment, PaymentType } from "../documents/Payment.ts"
import { lineAmount, type PricedLine, roundHalfAwayFromZero } from "../money/rounding.ts"
import type { Operation } from "../operations/Operation.ts"
import { pfrInstant } from "../time/PfrTime.ts"
import { belgradeDay } from "../time/belgradeTime.ts"
import { apportion, spread } from "./apportion.ts"

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
    readonly taxes: ReadonlyArray<{ readonly label: string; readonly amount: BigDecimal.BigDecimal }>
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

const unitsOf = (value: BigDecimal.BigDecimal, scale: number): bigint =>
  BigDecimal.scale(roundHalfAwayFromZero(value, scale), scale).value

const add = <Key>(sums: Map<Key, bigint>, key: Key, amount: bigint): void => {
  sums.set(key, (sums.get(key) ?? 0n) + amount)
}

/** The money of a receipt by set of labels. */
const byLabels = ({ content }: TurnoverDocument): ReadonlyMap<string, bigint> => {
  const sums = new Map<string, bigint>()
  for (const item of content.items) add(sums, [...item.taxLabels].sort().join(", "), unitsOf(lineAmount(item), 2))
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

/** Distributes each signed tax over the shares taxed under its label, in proportion to their money. */
const giveTaxes = (taxes: NonNullable<TurnoverDocument["answer"]>["taxes"], shares: ReadonlyArray<Share>): void => {
  for (const tax of taxes) {
    const taxed = shares.filter((share) => share.taxLabel.split(", ").includes(tax.label))
    const bearers = taxed.length === 0 ? shares : taxed
    const amounts = apportion(unitsOf(tax.amount, 4), bearers.map((share) => share.paras))
    bearers.forEach((share, at) => add(share.taxes, tax.label, amounts[at] ?? 0n))
  }
}

/** Whether a document counts: receipts of sales and advances and their refunds, never copies, proforma or training. */
export const countsAsTurnover = ({ status, content }: TurnoverDocument): boolean =>
  status === "FISCALIZED" && (content.invoiceType === "NORMAL" || content.invoiceType === "ADVANCE")

/** A document as the turnover report sees it; null where it is no turnover. Source: Decisions §5, Reports. */
export const turnoverReceipt = (operation: TurnoverDocument): TurnoverReceipt | null => {
  const { answer } = operation
  if (answer === null || !countsAsTurnover(operation)) return null
  const instant = pfrInstant(answer.pfr.sdcTime)
  if (Option.isNone(instant)) return null
  const shares = sharesOf(operation)
  giveTaxes(answer.taxes, shares)
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
