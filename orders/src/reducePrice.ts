import { giveBackBeforeSale } from "./advanceSteps.ts"
import { dinars, sum, unitsOf } from "./decimals.ts"
import { buyerIdOf, goodsOf, type Ledger, type LedgerPart, named, nobody, readMoney, type Sum, totalOf } from "./Ledger.ts"
import type { PriceReduced } from "./Order.ts"
import { amountOf, partsOf } from "./parts.ts"
import { issueSale, refundParts } from "./saleSteps.ts"
import { spread } from "./spread.ts"
import { amountTaken, everything, type Taken, takings } from "./takings.ts"

/** What was taken, at prices that come to less: by as much as was given back, in proportion, to the para. */
const cheaper = (found: ReadonlyArray<Taken>, reduction: bigint): ReadonlyArray<ReadonlyArray<LedgerPart>> => {
  const amounts = found.map(({ taken }) => amountOf(taken))
  const shares = spread(reduction, amounts)
  return found.map(({ taken }, at) => {
    const amount = (amounts[at] ?? 0n) - (shares[at] ?? 0n)
    return amount === 0n ? [] : partsOf(amount, sum(taken.map(({ quantity }) => quantity)), null).map((part) => ({ ...part, soldBy: null }))
  })
}

/** A receipt's price cannot change: what is on receipts is refunded and sold again for less. The buyer keeps the goods and gets the difference. */
const reduceSold = (ledger: Ledger, event: PriceReduced, found: ReadonlyArray<Taken>, money: ReadonlyArray<Sum>): string | null => {
  const buyerId = buyerIdOf(ledger, event.buyerId)
  if (buyerId === null) return nobody
  const [before, reduction, type] = [amountTaken(found), totalOf(money), money[0]?.type ?? "CASH"]
  if (before > goodsOf(ledger) - ledger.owed) return "The positions have not been paid yet."
  const kept = before === reduction ? [] : [{ type, amount: before - reduction }]
  const fresh = cheaper(found, reduction)
  refundParts(ledger, `refund/${event.id}`, found.flatMap(({ line, taken }) => taken.map((part) => ({ line, part }))), [...money, ...kept], buyerId)
  const again = found.map(({ line }, at) => ({ ...line, parts: fresh[at] ?? [] })).filter(({ parts }) => parts.length > 0)
  if (again.length > 0) issueSale(ledger, `corrected/${event.id}`, again, kept)
  for (const { left, line } of found) line.parts = [...left, ...(again.find((one) => one.line === line.line)?.parts ?? [])]
  ledger.paid -= reduction
  return null
}

const reduceUnsold = (ledger: Ledger, event: PriceReduced, found: ReadonlyArray<Taken>, money: ReadonlyArray<Sum>): string | null => {
  const before = found.map(({ line }) => line.parts)
  const fresh = cheaper(found, totalOf(money))
  found.forEach(({ left, line }, at) => { line.parts = [...left, ...(fresh[at] ?? [])] })
  const words = giveBackBeforeSale(ledger, event, money)
  if (words === null) ledger.paid -= totalOf(money)
  else found.forEach(({ line }, at) => { line.parts = before[at] ?? [] })
  return words
}

/** Money given back without goods. Answers words, and changes nothing, where it cannot be. */
export const reducePrice = (ledger: Ledger, event: PriceReduced): string | null => {
  const found = takings(ledger, event.lines?.map(({ line, quantity }) => ({ line, quantity: unitsOf(quantity, 3) })) ?? everything(ledger))
  if (typeof found === "string") return found
  const money = readMoney(event.givenBack)
  if (typeof money === "string") return money
  const amount = amountTaken(found)
  if (totalOf(money) > amount) return `These positions cost ${dinars(amount)}, ${named(money)} was given back: that is more.`
  return ledger.isSold ? reduceSold(ledger, event, found, money) : reduceUnsold(ledger, event, found, money)
}
