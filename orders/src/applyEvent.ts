import { giveBackBeforeSale } from "./advanceSteps.ts"
import { dinars, rounded, thousandths, unitsOf } from "./decimals.ts"
import { buyerIdOf, goodsOf, type Ledger, type LedgerLine, type LedgerPart, named, nobody, readMoney, type Sum, totalOf } from "./Ledger.ts"
import type { GivenBack, OrderEvent, PriceCorrected } from "./Order.ts"
import { amountOf } from "./parts.ts"
import { priceOrder } from "./priceOrder.ts"
import { reducePrice } from "./reducePrice.ts"
import { issueSale, refundParts } from "./saleSteps.ts"
import { amountTaken, costing, everything, type Taken, takings, without } from "./takings.ts"

/** Words why an event waits; null where it is done. An event that waits is tried again after each later one. */
export type Waits = string | null

type Of<Type extends OrderEvent["type"]> = Extract<OrderEvent, { readonly type: Type }>

const place = (ledger: Ledger, event: Of<"placed">): Waits => {
  if (ledger.order !== null) return "The order was placed already; later changes are told as events."
  const pricing = priceOrder(event.order)
  if ("words" in pricing) return pricing.words
  ledger.order = event.order
  ledger.lines = pricing.lines.map(({ line, listPrice, parts }) => ({ line, listPrice, parts: parts.map((part) => ({ ...part, soldBy: null })) }))
  return null
}

const pay = (ledger: Ledger, event: Of<"paid" | "depositPaid">): Waits => {
  const money = readMoney(event.payments)
  if (typeof money === "string") return money
  ledger.money = [...ledger.money, ...money]
  ledger.occurredAt = event.occurredAt
  ledger.paid += totalOf(money)
  return null
}

const collect = (ledger: Ledger, event: Of<"collected">): Waits => {
  const type = ledger.cashOnDelivery
  if (type === null) return "The order is not known to be paid on delivery."
  const money = readMoney([{ type, amount: event.amount }])
  if (typeof money === "string") return money
  ledger.money = [...ledger.money, ...money]
  ledger.paid += totalOf(money)
  ledger.isShipped = true
  ledger.isDelivered = true
  return null
}

/** Refunds parts that are on receipts. Without money given back, it is what the buyer still owes that grows less. */
const refund = (ledger: Ledger, event: { readonly id: string; readonly buyerId?: string }, takings: ReadonlyArray<Taken>, money: ReadonlyArray<Sum> | null): Waits => {
  const amount = amountTaken(takings)
  const buyerId = buyerIdOf(ledger, event.buyerId)
  if (buyerId === null) return nobody
  if (money === null && amount > ledger.owed) return `Positions of ${dinars(amount)} are paid: say how the money was given back.`
  if (money !== null && amount > goodsOf(ledger) - ledger.owed) return `${dinars(amount)} cannot be given back: so much has not been paid yet.`
  const parts = takings.flatMap(({ line, taken }) => taken.map((part) => ({ line, part })))
  return without(takings, () => {
    if (money === null) ledger.owed -= amount
    else ledger.paid -= amount
    refundParts(ledger, `refund/${event.id}`, parts, money ?? [{ type: ledger.cashOnDelivery ?? "CASH", amount }], buyerId)
    return null
  })
}

const giveBack = (ledger: Ledger, event: GivenBack): Waits => {
  if (event.type === "returned" && !ledger.isSold) return "Goods come back after they were sold; there is no receipt yet."
  if (ledger.isOver && event.givenBack === null) return null
  const wanted = event.lines?.map(({ line, quantity }) => ({ line, quantity: unitsOf(quantity, 3) })) ?? everything(ledger)
  const cheapest = takings(ledger, wanted)
  if (typeof cheapest === "string") return cheapest
  const money = event.givenBack === null ? null : readMoney(event.givenBack)
  if (typeof money === "string") return money
  const found = money === null ? cheapest : costing(cheapest, totalOf(money))
  const amount = amountTaken(found)
  if (money !== null && totalOf(money) !== amount) return `These positions cost ${dinars(amount)}, ${named(money)} was given back. They must be equal; for another amount, tell that the price was reduced or corrected.`
  if (amount === 0n) return without(found, () => null)
  if (ledger.isSold) return refund(ledger, event, found, money)
  return without(found, () => money === null ? null : giveBackMoney(ledger, event, money))
}

const giveBackMoney = (ledger: Ledger, event: { readonly id: string; readonly buyerId?: string }, money: ReadonlyArray<Sum>): Waits => {
  const words = giveBackBeforeSale(ledger, event, money)
  if (words === null) ledger.paid -= totalOf(money)
  return words
}

const refuse = (ledger: Ledger, event: Of<"refused">): Waits => {
  const money = event.givenBack === null ? [] : readMoney(event.givenBack)
  if (typeof money === "string") return money
  const all = takings(ledger, everything(ledger))
  if (typeof all === "string") return all
  const end = () => {
    ledger.isOver = true
    return money.length === 0 ? null : giveBackMoney(ledger, event, money)
  }
  if (!ledger.isSold) {
    const words = without(all, end)
    ledger.isOver = words === null
    return words
  }
  const buyerId = buyerIdOf(ledger, event.buyerId)
  if (buyerId === null) return nobody
  const paid = goodsOf(ledger) - ledger.owed
  if (totalOf(money) !== paid) return `The receipt is cancelled as a whole: give back the ${dinars(paid)} that were paid, not ${named(money)}.`
  const owed = { type: ledger.cashOnDelivery ?? "CASH", amount: ledger.owed } as const
  const parts = all.flatMap(({ line, taken }) => taken.map((part) => ({ line, part })))
  return without(all, () => {
    refundParts(ledger, `refund/${event.id}`, parts, [owed, ...money], buyerId)
    ledger.paid -= paid
    ledger.owed = 0n
    return null
  })
}

/** Sold: the position is refunded and sold again, because a receipt's price cannot change. The difference is what the buyer gets or pays. */
const correctSold = (ledger: Ledger, event: PriceCorrected, taken: Taken, fresh: LedgerPart, difference: bigint): Waits => {
  const buyerId = buyerIdOf(ledger, event.buyerId)
  if (buyerId === null) return nobody
  if (event.settled === null && ledger.owed + difference < 0n) return "The position is paid: say how the difference was settled."
  if (event.settled !== null && amountOf(taken.taken) > goodsOf(ledger) - ledger.owed) return "The position has not been paid yet."
  const type = event.settled?.type ?? ledger.cashOnDelivery
  if (type === null) return "Say how the difference was settled."
  const before = amountOf(taken.taken)
  refundParts(ledger, `refund/${event.id}`, taken.taken.map((part) => ({ line: taken.line, part })), [{ type, amount: before }], buyerId)
  const again: LedgerLine = { ...taken.line, parts: [fresh] }
  if (fresh.amount > 0n) issueSale(ledger, `corrected/${event.id}`, [again], [{ type, amount: fresh.amount }])
  taken.line.parts = [...taken.left, ...(fresh.amount > 0n ? again.parts : [])]
  if (event.settled === null) ledger.owed += difference
  else ledger.paid += difference
  return null
}

const correctUnsold = (ledger: Ledger, event: PriceCorrected, taken: Taken, fresh: LedgerPart, difference: bigint, money: ReadonlyArray<Sum>): Waits => {
  const before = taken.line.parts
  taken.line.parts = [...taken.left, fresh]
  const words = difference < 0n && money.length > 0 ? giveBackMoney(ledger, event, money) : null
  if (words !== null) taken.line.parts = before
  if (words === null && difference > 0n) {
    ledger.money = [...ledger.money, ...money]
    ledger.paid += totalOf(money)
  }
  return words
}

const correct = (ledger: Ledger, event: PriceCorrected): Waits => {
  const quantity = unitsOf(event.quantity, 3)
  const found = takings(ledger, [{ line: event.line, quantity }])
  if (typeof found === "string") return found
  const unitPrice = unitsOf(event.unitPrice, 2)
  if (unitPrice === null || unitPrice < 0n) return `${event.unitPrice} is no price: a decimal of at most two decimals.`
  const [taken] = found
  if (taken === undefined || quantity === null) return "The order has no such position."
  const fresh: LedgerPart = { quantity, unitPrice, amount: rounded(quantity * unitPrice, thousandths), soldBy: null }
  const difference = fresh.amount - amountOf(taken.taken)
  const money = event.settled === null ? [] : readMoney([event.settled])
  if (typeof money === "string") return money
  const settled = totalOf(money)
  if (event.settled !== null && settled !== (difference < 0n ? -difference : difference)) return `The price changes the order by ${dinars(difference)}, ${named(money)} was settled. They must be equal.`
  return ledger.isSold ? correctSold(ledger, event, taken, fresh, difference) : correctUnsold(ledger, event, taken, fresh, difference, money)
}

/** What one event does to the order; a refusal changes nothing. */
export const applyEvent = (ledger: Ledger, event: OrderEvent): Waits => {
  ledger.occurredAt = undefined
  if (event.type !== "placed" && ledger.order === null) return "The order has not been placed yet."
  switch (event.type) {
    case "placed":
      return place(ledger, event)
    case "paid":
    case "depositPaid":
      return pay(ledger, event)
    case "cashOnDelivery":
      ledger.cashOnDelivery = event.by
      return null
    case "collected":
      return collect(ledger, event)
    case "shipped":
      ledger.isShipped = true
      return null
    case "delivered":
      ledger.isShipped = true
      ledger.isDelivered = true
      return null
    case "refused":
      return refuse(ledger, event)
    case "priceCorrected":
      return correct(ledger, event)
    case "priceReduced":
      return reducePrice(ledger, event)
    default:
      return giveBack(ledger, event)
  }
}
