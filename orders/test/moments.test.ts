import { type OrderEvent, planOrder, type Settings } from "@overa/orders"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"

const page = readFileSync(join(import.meta.dirname, "../../docs/guides/order-moments.md"), "utf8")

const order = {
  number: "45", pricesIncludeTax: true, total: "300.00",
  lines: [{ id: "socks", name: "Чарапе", unit: "пар", quantity: 3, unitPrice: "100.00", taxLabels: ["Ђ"] }]
}
const placed: OrderEvent = { id: "placed", type: "placed", order }
const paid: OrderEvent = { id: "p1", type: "paid", payments: [{ type: "CARD", amount: "300.00" }] }
const deposit: OrderEvent = { id: "p1", type: "depositPaid", payments: [{ type: "CARD", amount: "100.00" }] }
const onDelivery: OrderEvent = { id: "cod", type: "cashOnDelivery", by: "CASH" }
const shipped: OrderEvent = { id: "s1", type: "shipped" }
const onePair = (type: "partlyCancelled" | "partlyRefunded" | "returned"): OrderEvent =>
  ({ id: "r1", type, lines: [{ line: "socks", quantity: 1 }], givenBack: [{ type: "CARD", amount: "100.00" }] })
const corrected: OrderEvent = { id: "c1", type: "priceCorrected", line: "socks", quantity: 1, unitPrice: "80.00", settled: { type: "CARD", amount: "20.00" } }
const reduced: OrderEvent = { id: "d1", type: "priceReduced", givenBack: [{ type: "CARD", amount: "20.00" }] }

const stories = {
  paid: [
    [placed], [placed, paid], [placed, deposit], [placed, deposit, { ...paid, id: "p2", payments: [{ type: "CARD", amount: "200.00" }] }], [placed, paid, onePair("partlyCancelled")],
    [placed, paid, onePair("partlyRefunded")], [placed, paid, onePair("returned")], [placed, paid, corrected], [placed, paid, reduced]
  ],
  shipped: [
    [placed, paid], [placed, paid, shipped], [placed, paid, onePair("partlyCancelled")], [placed, onDelivery], [placed, onDelivery, shipped],
    [placed, onDelivery, shipped, { id: "m1", type: "collected", amount: "300.00" }], [placed, onDelivery, shipped, { id: "x1", type: "refused", givenBack: null }],
    [placed, paid, shipped, onePair("returned")]
  ]
} satisfies Record<string, ReadonlyArray<ReadonlyArray<OrderEvent>>>

const settings = (prepaidDue: Settings["prepaidDue"]): Settings => ({
  shop: "shop", taxpayerId: "t", businessPremiseId: "p", cashier: { id: "web" }, environment: "production", prepaidDue, cashOnDeliveryDue: "shipped", unidentifiedBuyerId: "10:100000008"
})

/** The table of a setting, as the guide prints it. */
const tableOf = (prepaidDue: keyof typeof stories): string => [
  "| Events | Requests, in this order | Paid | Signed | Keys |",
  "| --- | --- | --- | --- | --- |",
  ...stories[prepaidDue].map((events) => {
    const plan = planOrder(settings(prepaidDue), events)
    const list = (texts: ReadonlyArray<string>): string => texts.length === 0 ? "none" : texts.map((text) => `\`${text}\``).join(", ")
    return `| ${events.map(({ type }) => type).join(", ")} | ${list(plan.steps.map(({ operation }) => operation))} | ${plan.paid} | ${plan.signed} | ${list(plan.steps.map(({ name }) => `…/45/${name}`))} |`
  })
].join("\n")

it.each(["paid", "shipped"] as const)("the guide's table of receipts due when %s is what the package answers", (prepaidDue) => {
  expect(page).toContain(tableOf(prepaidDue))
})

it("every event of the guide is clear: none waits", () => {
  for (const prepaidDue of ["paid", "shipped"] as const) for (const events of stories[prepaidDue]) expect(planOrder(settings(prepaidDue), events).remarks).toEqual([])
})
