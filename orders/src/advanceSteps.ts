import type { LineItem } from "@overa/client"
import { numberOf, sum } from "./decimals.ts"
import { type Advance, advancedOf, buyerIdOf, type Ledger, less, named, nobody, paymentsOf, type Sum, totalOf } from "./Ledger.ts"
import { amountOf } from "./parts.ts"
import { spread } from "./spread.ts"

/** The names that the tax authority prescribes; production has one for each of four labels. */
const productionNames: Readonly<Record<string, string>> = { "Ђ": "10: Аванс (Ђ)", "Е": "11: Аванс (Е)", "Г": "12: Аванс (Г)", "А": "13: Аванс (А)" }

const separator = "\n"

const advanceItem = (ledger: Ledger, joined: string, amount: bigint): LineItem => {
  const taxLabels = joined.split(separator)
  const [only = ""] = taxLabels
  const prescribed = taxLabels.length > 1 ? undefined : ledger.settings.environment === "sandbox" ? `10: Аванс (${only})` : productionNames[only]
  const name = prescribed === undefined ? { name: `Аванс (${taxLabels.join(", ")})`, unitOfMeasure: "ком" } : { name: prescribed }
  return { ...name, quantity: 1, unitPrice: numberOf(amount, 2), taxLabels }
}

/** What the order still lacks in advances, by labels. */
const lackingByLabels = (ledger: Ledger): ReadonlyMap<string, bigint> => {
  const lacking = new Map<string, bigint>()
  for (const { line, parts } of ledger.lines) {
    const joined = line.taxLabels.join(separator)
    lacking.set(joined, (lacking.get(joined) ?? 0n) + amountOf(parts))
  }
  for (const [joined, amount] of ledger.advances.flatMap(({ byLabels }) => [...byLabels])) lacking.set(joined, (lacking.get(joined) ?? 0n) - amount)
  return new Map([...lacking].map(([joined, amount]) => [joined, amount < 0n ? 0n : amount]))
}

const openCase = (ledger: Ledger): string => {
  if (ledger.caseStep !== null) return ledger.caseStep
  const { order, settings } = ledger
  ledger.caseStep = "case"
  const { businessPremiseId, taxpayerId } = settings
  ledger.steps.push({
    name: ledger.caseStep, operation: "openAdvanceCase", needs: {},
    body: { taxpayerId, businessPremiseId, clientReference: order?.number ?? "", buyer: { id: buyerIdOf(ledger, undefined) } }
  })
  return ledger.caseStep
}

/** Records money as an advance, by the labels of what is left to be paid in advance. */
export const payAdvance = (ledger: Ledger, name: string, payments: ReadonlyArray<Sum>, occurredAt: string | undefined): void => {
  const advanceCase = openCase(ledger)
  const lacking = [...lackingByLabels(ledger)]
  const shares = spread(totalOf(payments), lacking.map(([, amount]) => amount))
  const byLabels = new Map(lacking.map(([joined], at) => [joined, shares[at] ?? 0n] as const).filter(([, amount]) => amount > 0n))
  ledger.steps.push({
    name, operation: "addAdvancePayment", needs: { case: advanceCase },
    body: {
      cashier: ledger.settings.cashier,
      items: [...byLabels].map(([joined, amount]) => advanceItem(ledger, joined, amount)),
      payments: paymentsOf(payments),
      ...(occurredAt === undefined ? {} : { paymentOccurredAt: occurredAt })
    }
  })
  ledger.advances = [...ledger.advances, { step: name, payments, byLabels }]
  ledger.signed += totalOf(payments)
}

/** The latest advances that hold at least this much. */
const latest = (ledger: Ledger, amount: bigint): ReadonlyArray<Advance> => {
  let from = ledger.advances.length
  while (from > 0 && sum(ledger.advances.slice(from).map(({ payments }) => totalOf(payments))) < amount) from -= 1
  return ledger.advances.slice(from)
}

/**
 * Gives money back before the sale: money that no document shows goes first, then the latest advances are cancelled, and what was too much of them is an
 * advance again. Answers words, and does nothing, where the money is not there in this kind.
 */
export const giveBackBeforeSale = (ledger: Ledger, event: { readonly id: string; readonly buyerId?: string | undefined }, money: ReadonlyArray<Sum>): string | null => {
  const unrecorded = less(ledger.money, money)
  if (unrecorded !== null) {
    ledger.money = unrecorded
    return null
  }
  if (totalOf(money) > advancedOf(ledger)) return `${named(money)} cannot be given back: so much has not been paid yet.`
  const cancelled = latest(ledger, totalOf(money))
  const rest = less(cancelled.flatMap(({ payments }) => payments), money)
  if (rest === null) return `An advance is given back as it was paid: ${named(cancelled.flatMap(({ payments }) => payments))}, not ${named(money)}.`
  const buyerId = buyerIdOf(ledger, event.buyerId)
  if (buyerId === null) return nobody
  for (const { payments, step } of [...cancelled].reverse()) {
    ledger.steps.push({
      name: `cancel/${event.id}/${step}`, operation: "cancelAdvanceSale", needs: { case: ledger.caseStep ?? "", advance: step },
      body: { cashier: ledger.settings.cashier, buyer: { id: buyerId } }
    })
    ledger.signed -= totalOf(payments)
  }
  ledger.advances = ledger.advances.slice(0, ledger.advances.length - cancelled.length)
  if (totalOf(rest) > 0n) payAdvance(ledger, `advance/${event.id}/rest`, rest, undefined)
  return null
}
