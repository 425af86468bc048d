import { costOf, fromMinorUnits, nextRequest, type Order, type OrderEvent, planOrder, type Settings } from "@overa/orders"
import { describe, expect, it } from "vitest"

const settings: Settings = {
  shop: "shop", taxpayerId: "t", businessPremiseId: "p", cashier: { id: "web" }, environment: "production", prepaidDue: "paid", cashOnDeliveryDue: "shipped",
  unidentifiedBuyerId: "10:100000008"
}
const socks = { id: "socks", name: "Чарапе", unit: "пар", quantity: 3, unitPrice: "100.00", taxLabels: ["Ђ"] }
const order = (change: Partial<Order> = {}): Order => ({ number: "45", pricesIncludeTax: true, total: "300.00", lines: [socks], ...change })
const placed = (change: Partial<Order> = {}): OrderEvent => ({ id: "placed", type: "placed", order: order(change) })
const paid = (amount: string): OrderEvent => ({ id: "paid", type: "paid", payments: [{ type: "CARD", amount }] })

describe("an order that cannot be a receipt is refused in words", () => {
  it.each<[string, Partial<Order>, RegExp]>([
    ["another total", { total: "299.99" }, /come to 300\.00, the order's total is 299\.99/],
    ["a sum of floating point", { lines: [{ ...socks, unitPrice: 0.1 + 0.2 }] }, /price of position socks is 0\.30000000000000004/],
    ["a gift voucher", { lines: [{ ...socks, kind: "giftVoucher" }] }, /no sale of goods/],
    ["a tip of the staff", { lines: [{ ...socks, kind: "tip", taxLabels: [] }] }, /belongs to its staff/],
    ["no label", { lines: [{ ...socks, taxLabels: [] }] }, /no tax label/],
    ["a discount of more than the goods", { discounts: [{ amount: "300.01" }] }, /take off more/],
    ["an order for nothing", { discounts: [{ percent: 100 }], total: 0 }, /costs nothing/],
    ["a discount called rounding", { rounding: "-20", total: 280 }, /no rounding/],
    ["a position twice", { lines: [socks, socks], total: 600 }, /same id/],
    ["tax that is not known", { pricesIncludeTax: false }, /no taxPercent/],
    ["no quantity", { lines: [{ ...socks, quantity: 0 }] }, /too small/]
  ])("%s", (_what, change, words) => {
    const plan = planOrder(settings, [placed(change), paid("300.00")])
    expect(plan.steps).toEqual([])
    expect(plan.remarks[0]).toMatchObject({ event: "placed", words: expect.stringMatching(words) })
  })
})

describe("the receipt of an order", () => {
  const itemsOf = (change: Partial<Order>) => {
    const total = change.total ?? "300.00"
    const [sale] = planOrder(settings, [placed(change), paid(String(total))]).steps
    return sale?.operation === "issueFiscalDocument" ? sale.body.items.map(({ quantity, unitPrice, unitPriceBeforeDiscount }) => [quantity, unitPrice, unitPriceBeforeDiscount]) : sale
  }

  it("spreads a discount that no price of two decimals can show over two prices", () => {
    expect(itemsOf({ discounts: [{ amount: 10 }], total: 290 })).toEqual([[1, 96.66, 100], [2, 96.67, 100]])
  })

  it("adds the tax to prices without tax, once for each position", () => {
    // 3 × 83.333333 = 250.00; with 20 % 300.00.
    expect(itemsOf({ pricesIncludeTax: false, lines: [{ ...socks, unitPrice: "83.333333", taxPercent: 20 }] })).toEqual([[3, 100, undefined]])
  })

  it("rounds to whole dinars, up and down", () => {
    expect(itemsOf({ lines: [{ ...socks, quantity: 1, unitPrice: "99.50" }], rounding: "0.50", total: 100 })).toEqual([[1, 100, undefined]])
    expect(itemsOf({ lines: [{ ...socks, quantity: 1, unitPrice: "99.49" }], rounding: "-0.49", total: 99 })).toEqual([[1, 99, 99.49]])
  })

  it("takes amounts of a program that counts in paras", () => {
    expect([fromMinorUnits(12345), fromMinorUnits(5), fromMinorUnits(0)]).toEqual(["123.45", "0.05", "0.00"])
  })
})

describe("what is not clear waits, and says why", () => {
  const refund = (amount: string, quantity = 1): OrderEvent =>
    ({ id: "back", type: "returned", lines: [{ line: "socks", quantity }], givenBack: [{ type: "CARD", amount }] })

  it.each<[string, ReadonlyArray<OrderEvent>, RegExp]>([
    ["too much money", [placed(), paid("301.00")], /paid 1\.00 more/],
    ["money back that is no price", [placed(), paid("300.00"), refund("50.00")], /cost 100\.00, 50\.00 CARD was given back/],
    ["more than was bought", [placed(), paid("300.00"), refund("400.00", 4)], /no such quantity left/],
    ["money that did not come", [placed(), { id: "cod", type: "cashOnDelivery", by: "CASH" }, { id: "out", type: "shipped" }, refund("100.00")], /not been paid yet/],
    ["an advance given back in another way", [
      placed(), paid("200.00"),
      { id: "back", type: "partlyCancelled", lines: [{ line: "socks", quantity: 1 }], givenBack: [{ type: "CASH", amount: 100 }] }
    ], /as it was paid/],
    ["an event with other facts under its id", [placed(), paid("300.00"), paid("1.00")], /told before with other facts/]
  ])("%s", (_what, events, words) => {
    expect(planOrder(settings, events).remarks.map((remark) => remark.words).join()).toMatch(words)
  })

  it("a buyer whom nobody names", () => {
    const { unidentifiedBuyerId: _left, ...nameless } = settings
    expect(planOrder(nameless, [placed(), paid("300.00"), refund("100.00")]).remarks).toMatchObject([{ event: "back", words: expect.stringMatching(/identification/) }])
    expect(planOrder(nameless, [placed(), paid("100.00")]).steps).toEqual([])
  })

  it("parts of a key that are too long", () => {
    expect(planOrder(settings, [placed({ number: "Ж".repeat(11) }), paid("300.00")])).toMatchObject({ steps: [], remarks: [{ words: expect.stringMatching(/longer than 60/) }] })
  })
})

describe("requests", () => {
  it("have the prescribed name of an advance, and the key of their event", () => {
    const plan = planOrder(settings, [placed(), paid("100.00")])
    expect(nextRequest(plan, {})).toMatchObject({ step: "case", key: "overa-order/shop/45/case", operation: "openAdvanceCase" })
    const opened = { case: { isDone: true, failures: 0, advanceCaseId: "c1" } }
    expect(nextRequest(plan, opened)).toMatchObject({
      key: "overa-order/shop/45/advance/paid", input: { path: { advanceCaseId: "c1" }, body: { items: [{ name: "10: Аванс (Ђ)", unitPrice: 100 }] } }
    })
  })

  it("get another key after a failure, and only then", () => {
    const plan = planOrder(settings, [placed(), paid("300.00")])
    expect(nextRequest(plan, { sale: { isDone: false, failures: 2 } })?.key).toBe("overa-order/shop/45/sale/again-2")
    expect(nextRequest(plan, { sale: { isDone: true, failures: 0, documentId: "d" } })).toBeNull()
  })

  it("of a refund take the units that cost what was given back", () => {
    const events = [placed({ discounts: [{ amount: 10 }], total: 290 }), paid("290.00")]
    expect(costOf(settings, events, [{ line: "socks", quantity: 1 }])).toBe("96.66")
    for (const amount of ["96.66", "96.67"]) {
      const back: OrderEvent = { id: "back", type: "returned", lines: [{ line: "socks", quantity: 1 }], givenBack: [{ type: "CARD", amount }] }
      expect(planOrder(settings, [...events, back])).toMatchObject({ remarks: [], signed: (290 - Number(amount)).toFixed(2) })
    }
  })
})

describe("money back while the buyer keeps the goods", () => {
  const cap = { id: "cap", name: "Капа", unit: "ком", quantity: 1, unitPrice: "50.00", taxLabels: ["Е"] }
  const both = [placed({ lines: [socks, cap], total: "350.00" }), paid("350.00")]
  const back = (amount: string, lines?: ReadonlyArray<{ readonly line: string; readonly quantity: number }>): OrderEvent =>
    ({ id: "back", type: "priceReduced", givenBack: [{ type: "WIRE_TRANSFER", amount }], ...(lines === undefined ? {} : { lines }) })
  const itemsOf = (events: ReadonlyArray<OrderEvent>, step: string) => {
    const found = planOrder(settings, events).steps.find(({ name }) => name === step)
    return found?.operation === "issueFiscalDocument" || found?.operation === "refundSale" ? found.body.items.map(({ name, quantity, unitPrice }) => [name, quantity, unitPrice]) : null
  }

  it("refunds everything that is left and sells it for less, each position in proportion", () => {
    const events = [...both, back("10.00")]
    expect(planOrder(settings, events)).toMatchObject({ remarks: [], paid: "340.00", signed: "340.00" })
    expect(itemsOf(events, "refund/back/sale")).toEqual([["Чарапе", 3, 100], ["Капа", 1, 50]])
    // 8.57 and 1.43 of 10 dinars: 291.43 for three pairs are two prices.
    expect(itemsOf(events, "corrected/back")).toEqual([["Чарапе", 2, 97.14], ["Чарапе", 1, 97.15], ["Капа", 1, 48.57]])
  })

  it("leaves what it does not name as it was, and what was given back as a whole is not sold again", () => {
    const events = [...both, back("50.00", [{ line: "cap", quantity: 1 }])]
    expect(planOrder(settings, events).steps.map(({ name }) => name)).toEqual(["sale", "refund/back/sale"])
    expect(costOf(settings, events)).toBe("300.00")
  })

  it("is refunded at the lower price when the goods come back later, from the receipt that has it", () => {
    const events: ReadonlyArray<OrderEvent> = [...both, back("10.00"), { id: "all", type: "returned", givenBack: [{ type: "CARD", amount: "340.00" }] }]
    expect(planOrder(settings, events)).toMatchObject({ remarks: [], paid: "0.00", signed: "0.00" })
    expect(itemsOf(events, "refund/all/corrected/back")).toHaveLength(3)
  })

  it("waits where it is more than the positions cost, and where nobody stands on the refund", () => {
    expect(planOrder(settings, [...both, back("350.01")])).toMatchObject({ signed: "350.00", remarks: [{ event: "back", words: expect.stringMatching(/that is more/) }] })
    const { unidentifiedBuyerId: _nobody, ...without } = settings
    expect(planOrder(without, [...both, back("10.00")])).toMatchObject({ signed: "350.00", remarks: [{ event: "back" }] })
  })

  it("of a deposit makes the order cost less", () => {
    const events: ReadonlyArray<OrderEvent> = [placed(), { id: "d", type: "depositPaid", payments: [{ type: "WIRE_TRANSFER", amount: "100.00" }] }, back("20.00"), paid("200.00")]
    expect(planOrder(settings, events)).toMatchObject({ remarks: [], paid: "280.00", signed: "280.00" })
    expect(planOrder(settings, events).steps.at(-1)).toMatchObject({ operation: "closeAdvanceCase" })
  })
})
