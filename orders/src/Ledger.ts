import type { Payment, PaymentType } from "@overa/client"
import { dinars, numberOf, sum, unitsOf } from "./decimals.ts"
import type { Money, Order, OrderLine, Settings } from "./Order.ts"
import { amountOf, type Part } from "./parts.ts"
import type { Step } from "./Step.ts"

/** Money in paras. */
export interface Sum {
  readonly type: PaymentType
  readonly amount: bigint
}

/** A part of a position, and where it was sold. */
export interface LedgerPart extends Part {
  readonly soldBy: { readonly step: string; readonly index: number; readonly unitPriceBeforeDiscount: bigint | null } | null
}

export interface LedgerLine {
  readonly line: OrderLine
  readonly listPrice: bigint | null
  parts: ReadonlyArray<LedgerPart>
}

export interface Advance {
  readonly step: string
  readonly payments: ReadonlyArray<Sum>
  /** Paras by the labels of its items, joined. */
  readonly byLabels: ReadonlyMap<string, bigint>
}

/** An order as its events so far have left it. It lives for one reading of the events. */
export interface Ledger {
  readonly settings: Settings
  order: Order | null
  lines: Array<LedgerLine>
  /** Money that no document shows yet. */
  money: ReadonlyArray<Sum>
  occurredAt: string | undefined
  /** Advances that were not given back, oldest first. */
  advances: ReadonlyArray<Advance>
  caseStep: string | null
  cashOnDelivery: PaymentType | null
  /** On a receipt, and not paid yet. */
  owed: bigint
  isSold: boolean
  isShipped: boolean
  isDelivered: boolean
  /** Refused before anything was sold. */
  isOver: boolean
  paid: bigint
  signed: bigint
  readonly steps: Array<Step>
}

export const emptyLedger = (settings: Settings): Ledger => ({
  settings, order: null, lines: [], money: [], occurredAt: undefined, advances: [], caseStep: null, cashOnDelivery: null, owed: 0n,
  isSold: false, isShipped: false, isDelivered: false, isOver: false, paid: 0n, signed: 0n, steps: []
})

export const totalOf = (sums: ReadonlyArray<Sum>): bigint => sum(sums.map(({ amount }) => amount))
export const advancedOf = (ledger: Ledger): bigint => sum(ledger.advances.map(({ payments }) => totalOf(payments)))
export const goodsOf = (ledger: Ledger): bigint => sum(ledger.lines.map(({ parts }) => amountOf(parts)))

/** Money of the same kind together, in the order in which the kinds first appear; nothing of no amount. */
export const together = (sums: ReadonlyArray<Sum>): ReadonlyArray<Sum> => {
  const byType = new Map<PaymentType, bigint>()
  for (const { amount, type } of sums) byType.set(type, (byType.get(type) ?? 0n) + amount)
  return [...byType].map(([type, amount]) => ({ type, amount })).filter(({ amount }) => amount !== 0n)
}

/** One sum less another, kind by kind; null where a kind has less. */
export const less = (sums: ReadonlyArray<Sum>, taken: ReadonlyArray<Sum>): ReadonlyArray<Sum> | null => {
  const left = together([...sums, ...taken.map(({ amount, type }) => ({ type, amount: -amount }))])
  return left.every(({ amount }) => amount > 0n) ? left : null
}

export const paymentsOf = (sums: ReadonlyArray<Sum>): ReadonlyArray<Payment> => together(sums).map(({ amount, type }) => ({ type, amount: numberOf(amount, 2) }))

/** Money as an event tells it; words where it is none. */
export const readMoney = (money: ReadonlyArray<Money>): ReadonlyArray<Sum> | string => {
  const sums: Array<Sum> = []
  for (const { amount, type } of money) {
    const paras = unitsOf(amount, 2)
    if (paras === null || paras <= 0n) return `${amount} is no amount of money: a decimal above 0 of at most two decimals.`
    sums.push({ type, amount: paras })
  }
  return sums
}

export const named = (sums: ReadonlyArray<Sum>): string => together(sums).map(({ amount, type }) => `${dinars(amount)} ${type}`).join(" and ") || "nothing"

/** Who stands on a refund or a closing. */
export const buyerIdOf = (ledger: Ledger, buyerId: string | undefined): string | null =>
  buyerId ?? ledger.order?.buyer?.id ?? ledger.settings.unidentifiedBuyerId ?? null

export const nobody = "The service asks for the buyer's identification here: name it on the event or the order, or choose unidentifiedBuyerId in the settings."
