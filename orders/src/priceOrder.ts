import { type Amount, dinars, rounded, sum, thousandths, unitsOf } from "./decimals.ts"
import type { Discount, Order, OrderLine } from "./Order.ts"
import { type Part, partsOf } from "./parts.ts"
import { spread } from "./spread.ts"

/** A position with its money: thousandths and paras. */
export interface PricedLine {
  readonly line: OrderLine
  /** What one cost before discounts, with tax; null where that has no two decimals. */
  readonly listPrice: bigint | null
  readonly parts: ReadonlyArray<Part>
}

/** Positions to the para, or why there are none. */
export type Pricing = { readonly lines: ReadonlyArray<PricedLine> } | { readonly words: string }

/** Internal: the first fault ends the pricing; {@link priceOrder} answers its words. */
class CannotPrice extends Error {}

const fail = (words: string): never => {
  throw new CannotPrice(words)
}

const read = (value: Amount, scale: number, what: string): bigint =>
  unitsOf(value, scale) ?? fail(`${what} is ${value}: it must be a decimal of at most ${scale} decimals.`)

const atLeast = (value: bigint, minimum: bigint, what: string): bigint => value < minimum ? fail(`${what} is too small.`) : value

const hundredPercent = 10_000n

/** What a discount takes off an amount, never more than the amount. */
const takenOff = (discount: Discount, from: bigint, what: string): bigint => {
  const off = "amount" in discount
    ? atLeast(read(discount.amount, 2, `A discount of ${what}`), 0n, `A discount of ${what}`)
    : rounded(from * atLeast(read(discount.percent, 2, `A discount of ${what}`), 0n, `A discount of ${what}`), hundredPercent)
  return off > from ? fail(`The discounts of ${what} take off more than it costs.`) : off
}

const discounted = (discounts: ReadonlyArray<Discount> | undefined, from: bigint, what: string): bigint =>
  (discounts ?? []).reduce((left, discount) => left - takenOff(discount, left, what), from)

const isGoods = (line: OrderLine): boolean => (line.kind ?? "goods") === "goods"

const words = {
  giftVoucher: "A gift voucher for anything is no sale of goods: sell it in an order of its own, without a receipt. One that names its goods is sold as goods.",
  tip: "A tip with a tax label is the seller's. One that belongs to its staff is not on the receipt: leave it out of the order and of its payments."
}

const judgeKind = (line: OrderLine): void => {
  if (line.kind === "giftVoucher") fail(words.giftVoucher)
  if (line.taxLabels.length === 0) fail(line.kind === "tip" ? words.tip : `Position ${line.id} has no tax label.`)
}

/** Before whole discounts, in the order's own kind of prices. */
const ownAmount = (line: OrderLine, pricesIncludeTax: boolean): bigint => {
  judgeKind(line)
  const what = `position ${line.id}`
  const quantity = atLeast(read(line.quantity, 3, `The quantity of ${what}`), 1n, `The quantity of ${what}`)
  const scale = pricesIncludeTax ? 2 : 6
  const price = atLeast(read(line.unitPrice, scale, `The price of ${what}`), 0n, `The price of ${what}`)
  return discounted(line.discounts, rounded(price * quantity, thousandths * 10n ** BigInt(scale - 2)), what)
}

/** Each position less its share of the discounts on the whole. */
const lessWholeDiscounts = (order: Order, amounts: ReadonlyArray<bigint>): ReadonlyArray<bigint> =>
  (order.discounts ?? []).reduce<ReadonlyArray<bigint>>((left, discount) => {
    const bears = (line: OrderLine): boolean => isGoods(line) || (discount.on === "goods and shipping" && line.kind === "shipping")
    const weights = left.map((amount, at) => bears(order.lines[at] as OrderLine) ? amount : 0n)
    const shares = spread(takenOff(discount, sum(weights), "the order"), weights)
    return left.map((amount, at) => amount - (shares[at] ?? 0n))
  }, amounts)

const withTax = (line: OrderLine, scaled: bigint, divisor: bigint): bigint => {
  const percent = line.taxPercent === undefined
    ? fail(`Position ${line.id} has a price without tax and no taxPercent.`)
    : atLeast(read(line.taxPercent, 2, `The tax of position ${line.id}`), 0n, `The tax of position ${line.id}`)
  return rounded(scaled * (hundredPercent + percent), hundredPercent * divisor)
}

const rounding = (order: Order, amounts: ReadonlyArray<bigint>): ReadonlyArray<bigint> => {
  const added = read(order.rounding ?? 0, 2, "The rounding")
  if (added > 1_000n || added < -1_000n) fail(`A rounding of ${dinars(added)} is no rounding: make it a discount or a position.`)
  const shares = spread(added < 0n ? -added : added, amounts)
  return amounts.map((amount, at) => {
    const changed = amount + (added < 0n ? -(shares[at] ?? 0n) : shares[at] ?? 0n)
    return changed < 0n ? fail("The rounding takes off more than the order costs.") : changed
  })
}

const listPriceOf = (order: Order, line: OrderLine): bigint | null =>
  order.pricesIncludeTax ? unitsOf(line.unitPrice, 2) : withTax(line, read(line.unitPrice, 6, "The price"), 10_000n)

const priced = (order: Order): ReadonlyArray<PricedLine> => {
  if (order.number === "" || order.number.length > 100) fail("The order's number must have 1 to 100 characters.")
  if (new Set(order.lines.map(({ id }) => id)).size !== order.lines.length) fail("Two positions have the same id.")
  const own = lessWholeDiscounts(order, order.lines.map((line) => ownAmount(line, order.pricesIncludeTax)))
  const gross = order.pricesIncludeTax ? own : own.map((amount, at) => withTax(order.lines[at] as OrderLine, amount, 1n))
  const amounts = rounding(order, gross)
  const [stated, total] = [read(order.total, 2, "The total"), sum(amounts)]
  if (total !== stated) fail(`The positions come to ${dinars(total)}, the order's total is ${dinars(stated)}. They must be equal; state what rounding added as rounding.`)
  if (total === 0n) fail("An order that costs nothing has no receipt here: supply without charge is recorded under names of its own.")
  return order.lines.map((line, at) => {
    const listPrice = listPriceOf(order, line)
    return { line, listPrice, parts: partsOf(amounts[at] ?? 0n, read(line.quantity, 3, "The quantity"), listPrice) }
  })
}

/**
 * The positions of an order with discounts and rounding spread over them, so that they sum to exactly what the buyer was told to pay. What cannot be
 * a receipt is refused in words.
 */
export const priceOrder = (order: Order): Pricing => {
  try {
    return { lines: priced(order) }
  } catch (error) {
    if (error instanceof CannotPrice) return { words: error.message }
    throw error
  }
}
