import type { OrderEvent } from "@overa/orders"
import { describe, expect, it } from "vitest"
import { noteWaiting } from "../src/fiscalize.ts"
import type { Kept, KeptRecord, Shown } from "../src/Kept.ts"
import { readShop, SettingMissing } from "../src/Shop.ts"
import { waitsForOthers } from "../src/wordsOf.ts"

const placed: OrderEvent = {
  id: "placed", type: "placed",
  order: { number: "A1", lines: [{ id: "1", name: "Book", unit: "kom", quantity: "1", unitPrice: "100.00", taxLabels: ["Ђ"] }], pricesIncludeTax: true, total: "100.00" }
}
const paid: OrderEvent = { id: "paid", type: "paid", payments: [{ type: "CARD", amount: "100.00" }] }

/** Notes an order that says this, with a service that nobody listens at: a request would fail the test. Answers what is stored. */
const note = async (status: string, events: () => ReadonlyArray<OrderEvent>) => {
  const shop = readShop({ url: "https://localhost:1", authUrl: "https://localhost:1", clientId: "svc-test-1", clientSecret: "s", taxpayerId: "t", premiseId: "p", shop: "shop", since: "2026-01-01" })
  if (shop === null) throw new Error("a setting is missing")
  const stored: Array<Partial<Kept> & Shown> = []
  let shown = 0
  const record: KeptRecord = {
    kept: { events: [], isSent: false, progress: {}, receipts: [], told: [], refused: null }, status,
    keep: async (change, next = {}) => void stored.push({ ...change, ...next }),
    show: async () => void (shown += 1)
  }
  await noteWaiting({ record, events, rows: 1, where: "in the settings", pdfOf: () => "", tell: async () => undefined }, shop)
  return { stored, shown }
}

describe("an order that waits for others", () => {
  it("says so, with its events kept, where something is to be sent", async () => {
    expect((await note("", () => [placed, paid])).stored).toEqual([{ events: [placed, paid], isOpen: true, status: waitsForOthers }])
  })

  it("says nothing where nothing is due", async () => {
    expect((await note("", () => [placed])).stored).toEqual([{ events: [placed], isOpen: true }])
  })

  it("keeps what it says already, and shows it once more: the engine may have put back what it showed before", async () => {
    expect(await note("Everything is signed.", () => [placed, paid])).toEqual({ stored: [], shown: 1 })
  })

  it("says what is wrong with the settings", async () => {
    const { stored } = await note("", () => {
      throw new SettingMissing("the payment method \"x\" has no payment type.")
    })
    expect(stored).toEqual([{ status: expect.stringContaining("the payment method \"x\" has no payment type.") as string, isOpen: true }])
  })
})
