import { costOf, fromMinorUnits, type LineQuantity, type OrderEvent, planOrder, type Settings } from "@overa/orders"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { orderArbitrary } from "../../../contract-tests/src/orders/stories.ts"
import { refundEvents } from "../src/refundEvents.ts"

const settings: Settings = {
  shop: "shop", taxpayerId: "t", businessPremiseId: "p", cashier: { id: "web" }, environment: "sandbox", prepaidDue: "paid", cashOnDeliveryDue: "collected", unidentifiedBuyerId: "10:100000008"
}
const parasOf = (dinars: string | number | null): number => Math.round(Number(dinars ?? 0) * 100)

interface Asked {
  /** Thousandths of what is left, or of what the marked lines cost. */
  readonly share: number
  readonly line: number
  readonly kind: "lines at their price" | "lines at another price" | "an amount" | "everything"
}

const asked: fc.Arbitrary<ReadonlyArray<Asked>> = fc.array(fc.record({
  share: fc.integer({ min: 1, max: 1500 }), line: fc.nat(5), kind: fc.constantFrom("lines at their price", "lines at another price", "an amount", "everything")
}), { minLength: 1, maxLength: 5 })

describe("SHOPS-1: whatever an engine gives back, what is signed at the end is what the buyer paid", () => {
  it("by marked lines, by any amount, or both, one after the other", () => {
    const seen = new Map<string, number>()
    fc.assert(fc.property(orderArbitrary, asked, (order, refunds) => {
      const total = parasOf(order.total)
      const events: Array<OrderEvent> = [{ id: "placed", type: "placed", order }, { id: "paid", type: "paid", payments: [{ type: "CARD", amount: fromMinorUnits(total) }] }]
      let left = total
      for (const [at, { kind, line, share }] of refunds.entries()) {
        const position = order.lines[line % order.lines.length]
        const lines: ReadonlyArray<LineQuantity> = kind.startsWith("lines") && position !== undefined ? [{ line: position.id, quantity: Number(position.quantity) >= 1 ? 1 : position.quantity }] : []
        const cost = lines.length === 0 ? left : parasOf(costOf(settings, events, lines))
        const paras = Math.min(left, kind === "everything" ? left : kind === "lines at their price" ? cost : Math.ceil((cost * share) / 1000))
        if (paras === 0) continue
        const more = refundEvents(settings, events, { id: `refund-${at}`, type: "CARD", paras, lines, unmarked: [] })
        for (const { type } of more) seen.set(type, (seen.get(type) ?? 0) + 1)
        events.push(...more)
        left -= paras
      }
      expect(planOrder(settings, events)).toMatchObject({ remarks: [], paid: fromMinorUnits(left), signed: fromMinorUnits(left) })
    }), { numRuns: 400 })
    expect([...seen.keys()].toSorted()).toEqual(["partlyRefunded", "priceReduced"])
  })
})

describe("a refund of an engine", () => {
  const socks = { id: "socks", name: "Чарапе", unit: "пар", quantity: 3, unitPrice: "100.00", taxLabels: ["Ђ"] }
  const shipping = { id: "shipping-1", kind: "shipping" as const, name: "Достава", unit: "ком", quantity: 1, unitPrice: "50.00", taxLabels: ["Ђ"] }
  const before: ReadonlyArray<OrderEvent> = [
    { id: "placed", type: "placed", order: { number: "45", pricesIncludeTax: true, total: "350.00", lines: [socks, shipping] } }, { id: "paid", type: "paid", payments: [{ type: "CARD", amount: "350.00" }] }
  ]
  const unmarked = [{ line: "shipping-1", quantity: 1 }]
  const one = [{ line: "socks", quantity: 1 }]
  const read = (paras: number, lines: ReadonlyArray<LineQuantity>) => refundEvents(settings, before, { id: "r", type: "CARD", paras, lines, unmarked })

  it.each<[string, number, ReadonlyArray<LineQuantity>, ReadonlyArray<object>]>([
    ["of what a line costs are goods that came back", 10_000, one, [{ type: "partlyRefunded", lines: one }]],
    ["of a line and the shipping, which engines do not mark", 15_000, one, [{ type: "partlyRefunded", lines: [...one, ...unmarked] }]],
    ["of everything", 35_000, [], [{ type: "partlyRefunded" }]],
    ["of the shipping alone", 5_000, [], [{ type: "partlyRefunded", lines: unmarked }]],
    ["of a line and something more is both", 12_345, one, [{ id: "r", lines: one, givenBack: [{ amount: "100.00" }] }, { id: "r-rest", type: "priceReduced", givenBack: [{ amount: "23.45" }] }]],
    ["of less than a line costs lowers its price", 2_000, one, [{ type: "priceReduced", lines: one }]],
    ["of an amount lowers the price of everything", 2_000, [], [{ type: "priceReduced" }]]
  ])("%s", (_what, paras, lines, expected) => {
    const events = read(paras, lines)
    expect(events).toMatchObject(expected)
    expect(planOrder(settings, [...before, ...events])).toMatchObject({ remarks: [], signed: fromMinorUnits(35_000 - paras) })
  })

  it("that one engine divides among two payments, with the same lines on both, is given back once", () => {
    const first = read(7_000, one)
    const second = refundEvents(settings, [...before, ...first], { id: "r2", type: "CASH", paras: 3_000, lines: one, unmarked })
    expect(planOrder(settings, [...before, ...first, ...second])).toMatchObject({ remarks: [], paid: "250.00", signed: "250.00" })
    expect(costOf(settings, [...before, ...first, ...second])).toBe("250.00")
  })

  it("without a buyer on refunds waits, and says why", () => {
    const { unidentifiedBuyerId: _nobody, ...without } = settings
    const events = refundEvents(without, before, { id: "r", type: "CARD", paras: 10_000, lines: one, unmarked })
    expect(events).toMatchObject([{ type: "partlyRefunded", lines: one }])
    expect(planOrder(without, [...before, ...events]).remarks).toMatchObject([{ event: "r" }])
  })

  it("of more than was paid waits, and says why", () => {
    const events = read(35_001, [])
    expect(planOrder(settings, [...before, ...events])).toMatchObject({ signed: "350.00", remarks: [{ event: "r" }] })
  })
})
