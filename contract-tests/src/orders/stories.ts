import { costOf, type Money, type Order, type OrderEvent, type OrderLine, type Settings } from "@overa/orders"
import fc from "fast-check"

const dinars = (paras: number): string => (paras / 100).toFixed(2)
const rounded = (dividend: number, divisor: number): number => Math.floor((2 * dividend + divisor) / (2 * divisor))

export const settingsArbitrary: fc.Arbitrary<Settings> = fc.record({
  prepaidDue: fc.constantFrom("paid", "shipped", "delivered"),
  cashOnDeliveryDue: fc.constantFrom("shipped", "delivered", "collected")
}).map((chosen) => ({
  ...chosen, shop: "shop", taxpayerId: "t", businessPremiseId: "p", cashier: { id: "web" }, environment: "sandbox", unidentifiedBuyerId: "10:100000008"
}))

const lineArbitrary = fc.record({
  quantity: fc.oneof(fc.integer({ min: 1, max: 6 }).map((pieces) => pieces * 1000), fc.integer({ min: 1, max: 9_999 })),
  unitPrice: fc.integer({ min: 1, max: 300_000 }),
  label: fc.constantFrom("A", "B"),
  percent: fc.constantFrom(0, 0, 10, 33),
  off: fc.constantFrom(0, 0, 1, 99)
})

/** Amounts small enough to be exact in floating point; computed here a second time, without the package's own arithmetic. */
export const orderArbitrary: fc.Arbitrary<Order> = fc.record({
  lines: fc.array(lineArbitrary, { minLength: 1, maxLength: 4 }),
  shipping: fc.constantFrom(0, 29_900),
  tip: fc.constantFrom(0, 0, 5_000),
  wholePercent: fc.constantFrom(0, 0, 7, 15),
  wholeOff: fc.constantFrom(0, 0, 1, 250),
  inWholeDinars: fc.boolean()
}).map((drawn) => {
  let goods = 0
  const lines = drawn.lines.map(({ label, off, percent, quantity, unitPrice }, at): OrderLine => {
    const full = rounded(quantity * unitPrice, 1000)
    const afterPercent = full - rounded(full * percent, 100)
    const taken = Math.min(off, afterPercent)
    goods += afterPercent - taken
    const discounts = [...(percent > 0 ? [{ percent }] : []), ...(taken > 0 ? [{ amount: dinars(taken) }] : [])]
    return { id: `line-${at}`, name: `Роба ${at}`, unit: "ком", quantity: quantity / 1000, unitPrice: dinars(unitPrice), taxLabels: [label], discounts }
  })
  const wholePercentOff = rounded(goods * drawn.wholePercent, 100)
  const wholeOff = Math.min(drawn.wholeOff, goods - wholePercentOff)
  const before = goods - wholePercentOff - wholeOff + drawn.shipping + drawn.tip
  const total = drawn.inWholeDinars ? rounded(before, 100) * 100 : before
  const extra = (id: "shipping" | "tip", price: number): ReadonlyArray<OrderLine> =>
    price === 0 ? [] : [{ id, kind: id, name: id, unit: "ком", quantity: 1, unitPrice: dinars(price), taxLabels: ["A"] }]
  return {
    number: "2026/45", pricesIncludeTax: true, total: dinars(total), rounding: dinars(total - before),
    lines: [...lines, ...extra("shipping", drawn.shipping), ...extra("tip", drawn.tip)],
    discounts: [...(drawn.wholePercent > 0 ? [{ percent: drawn.wholePercent }] : []), ...(wholeOff > 0 ? [{ amount: dinars(wholeOff) }] : [])]
  }
}).filter(({ total }) => Number(total) > 0)

export interface Story {
  readonly events: ReadonlyArray<OrderEvent>
  /** Paras the buyer paid in the end, summed from the money in the events. */
  readonly paid: number
}

type Choices = {
  readonly onDelivery: boolean
  readonly isRefused: boolean
  /** Thousandths of the total that are paid first. */
  readonly deposit: number
  readonly types: ReadonlyArray<Money["type"]>
  readonly after: ReadonlyArray<{ readonly what: "partlyCancelled" | "partlyRefunded" | "returned" | "priceCorrected" | "priceReduced"; readonly line: number; readonly share: number; readonly unpaid: boolean }>
}

export const choicesArbitrary: fc.Arbitrary<Choices> = fc.record({
  onDelivery: fc.boolean(),
  isRefused: fc.boolean(),
  deposit: fc.constantFrom(0, 0, 300, 999),
  types: fc.array(fc.constantFrom("CARD", "WIRE_TRANSFER", "VOUCHER", "CASH" as const), { minLength: 1, maxLength: 3 }),
  after: fc.array(fc.record({
    what: fc.constantFrom("partlyCancelled", "partlyRefunded", "returned", "priceCorrected", "priceReduced"),
    line: fc.nat(5), share: fc.integer({ min: 1, max: 1000 }), unpaid: fc.boolean()
  }), { maxLength: 4 })
})

const split = (paras: number, types: Choices["types"]): ReadonlyArray<Money> => {
  const each = Math.floor(paras / types.length)
  return types.map((type, at) => ({ type, amount: at === 0 ? paras - each * (types.length - 1) : each }))
    .filter(({ amount }) => amount > 0).map(({ amount, type }) => ({ type, amount: dinars(amount) }))
}

/** A story as it happens, without an event that makes no sense where it stands. */
export const storyOf = (settings: Settings, order: Order, choices: Choices): Story => {
  const total = Math.round(Number(order.total) * 100)
  const events: Array<OrderEvent> = [{ id: "placed", type: "placed", order }]
  const deposit = Math.floor((total * choices.deposit) / 1000)
  let paid = 0
  if (deposit > 0) {
    events.push({ id: "deposit", type: "depositPaid", payments: [{ type: "CARD", amount: dinars(deposit) }] })
    paid += deposit
  }
  if (choices.onDelivery) {
    events.push({ id: "cod", type: "cashOnDelivery", by: "CASH" }, { id: "shipped", type: "shipped" })
    if (choices.isRefused) return refusedStory(events, deposit)
    if (total > paid) events.push({ id: "collected", type: "collected", amount: dinars(total - paid) })
  } else {
    if (total > paid) events.push({ id: "paid", type: "paid", payments: split(total - paid, choices.types) })
    events.push({ id: "shipped", type: "shipped" })
  }
  paid = total
  events.push({ id: "delivered", type: "delivered" })
  for (const [at, one] of choices.after.entries()) paid += addLater(settings, events, order, at, one)
  return { events, paid }
}

const refusedStory = (events: Array<OrderEvent>, deposit: number): Story => {
  events.push({ id: "refused", type: "refused", givenBack: deposit > 0 ? [{ type: "CARD", amount: dinars(deposit) }] : null })
  return { events, paid: 0 }
}

/** Money back without goods, off one or two whole positions that no other event is about, so that it does not depend on what else was told before. */
const addReduction = (settings: Settings, events: Array<OrderEvent>, order: Order, at: number, one: Choices["after"][number]): number => {
  const isNamed = (id: string): boolean => events.some((event) => ("lines" in event && event.lines?.some(({ line }) => line === id)) || (event.type === "priceCorrected" && event.line === id))
  const wanted = [order.lines[one.line % order.lines.length], ...(one.unpaid ? [order.lines[(one.line + 1) % order.lines.length]] : [])]
  const lines = [...new Set(wanted)].flatMap((line) => line === undefined || isNamed(line.id) ? [] : [{ line: line.id, quantity: line.quantity }])
  const cost = lines.length === 0 ? 0 : Math.round(Number(costOf(settings, events, lines) ?? 0) * 100)
  const off = Math.ceil((cost * one.share) / 1000)
  if (off === 0) return 0
  events.push({ id: `later-${at}`, type: "priceReduced", lines, givenBack: [{ type: "CARD", amount: dinars(off) }] })
  return -off
}

/** Adds one event after the delivery; answers what it changed of what the buyer paid, in paras. */
const addLater = (settings: Settings, events: Array<OrderEvent>, order: Order, at: number, one: Choices["after"][number]): number => {
  const line = order.lines[one.line % order.lines.length]
  // Whole units, or all of a position: what is less than a unit costs what its own place in the row of roundings makes of it.
  const pieces = Number(line?.quantity ?? 0)
  const quantity = one.share > 900 ? pieces : Math.min(Math.floor(pieces), Math.ceil((pieces * one.share) / 1000))
  if (events.some((event) => event.type === "priceReduced" && event.lines?.some((named) => named.line === line?.id))) return 0
  const lines = [{ line: line?.id ?? "", quantity }]
  const cost = Math.round(Number(costOf(settings, events, lines) ?? 0) * 100)
  if (cost === 0) return 0
  if (one.what !== "priceCorrected" && one.what !== "priceReduced") {
    events.push({ id: `later-${at}`, type: one.what, lines, givenBack: [{ type: "CARD", amount: dinars(cost) }] })
    return -cost
  }
  if (one.what === "priceReduced") return addReduction(settings, events, order, at, one)
  // A correction of a whole position, so that its money does not depend on what else was told before.
  if (events.some((event) => "lines" in event && event.lines?.some((named) => named.line === line?.id)) || events.some((event) => event.type === "priceCorrected" && event.line === line?.id)) return 0
  const whole = Math.round(Number(costOf(settings, events, [{ line: line?.id ?? "", quantity: line?.quantity ?? 0 }]) ?? 0) * 100)
  const unitPrice = 1 + one.share * 10
  const now = rounded(Math.round(Number(line?.quantity) * 1000) * unitPrice, 1000)
  events.push({
    id: `later-${at}`, type: "priceCorrected", line: line?.id ?? "", quantity: line?.quantity ?? 0, unitPrice: dinars(unitPrice),
    settled: now === whole ? null : { type: "CARD", amount: dinars(Math.abs(now - whole)) }
  })
  return now - whole
}
