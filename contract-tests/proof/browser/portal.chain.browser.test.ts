import { assert, describe, it } from "vitest"
import { browserPath } from "../../src/portal/browser.ts"
import { callShop, issueSale, refundAll } from "../../src/portal/issueSale.ts"
import { asPerson, assertGood, click, pathIn } from "./readers.ts"
import { sharedPortal } from "../../src/portal/sharedPortal.ts"

const { client, stage } = sharedPortal()

interface Case {
  readonly id: string
  readonly current: { readonly id: string }
}

const pay = (path: string, amount: number) =>
  callShop<Case>(stage, path, {
    cashier: { id: "web" },
    items: [{ name: "10: Аванс (A)", quantity: 1, unitPrice: amount, taxLabels: ["A"] }],
    payments: [{ type: "CARD", amount }]
  })

/** Two payments in advance, the first one cancelled, then the final sale. */
const advanceCase = async (): Promise<{ readonly payments: ReadonlyArray<string>; readonly finalSale: string }> => {
  const { businessPremiseId, taxpayerId } = stage.shop
  const buyer = { id: "20:123456789" }
  const opened = await callShop<Case>(stage, "/v1/advance-cases", { taxpayerId, businessPremiseId, clientReference: "ORMAR-1", buyer })
  const path = `/v1/advance-cases/${opened.id}`
  const first = await pay(`${path}/payments`, 100)
  await callShop<Case>(stage, `${path}/cancellations`, { advanceSaleId: first.current.id, cashier: { id: "web" }, buyer })
  const second = await pay(`${path}/payments`, 300)
  const closed = await callShop<Case>(stage, `${path}/closing`, {
    cashier: { id: "web" },
    items: [{ name: "Орман <b>", unitOfMeasure: "ком", quantity: 1, unitPrice: 1000, taxLabels: ["A"] }],
    remainingPayments: [{ type: "CASH", amount: 700 }]
  })
  return { payments: [first.current.id, second.current.id], finalSale: closed.current.id }
}

describe.runIf(browserPath !== null)("what belongs together with a receipt, in a real browser", () => {
  it.each([360, 1_280])("at %i px: a sale, its refund with the signed copy, and a copy are one tree to click through", async (width) => {
    const sale = await issueSale(stage, { reference: `lanac-${width}`, quantity: 1 })
    const { refundId } = await refundAll(stage, sale, "CASH")
    const copy = await callShop<{ readonly id: string }>(stage, `/v1/fiscal-documents/${sale.id}/copies`, { cashier: { id: "web" } })
    await asPerson(stage, stage.people.SUPPORT, async ({ page }) => {
      await page.goto(`${stage.portal.url}/receipts/${sale.id}`)
      assert.include(await page.textContent(".tree [aria-current]"), sale.number)
      assert.strictEqual(await page.locator(".tree .node").count(), 4)
      assert.strictEqual(await page.locator(`.tree a[href$="/receipts/${copy.id}"]`).count(), 1)
      await assertGood(page)
      await click(page, `.tree a[href$="/receipts/${refundId}"]`)
      assert.strictEqual(await page.locator(".tree .node").count(), 4)
      // The copy for the signature is under the refund.
      assert.include(await page.locator(".tree .tree .tree").textContent(), "Копија")
      await page.focus(`.tree a[href$="/receipts/${sale.id}"]`)
      await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")])
      assert.strictEqual(pathIn(page), `/receipts/${sale.id}`)
    }, { width })
  }, 60_000)

  it("of an advance case every document shows the whole of it", async () => {
    const { finalSale, payments } = await advanceCase()
    const database = await stage.desk.database.client()
    const { rows } = await database.query("select operation_id from operations where client_reference = 'ORMAR-1'")
    await asPerson(stage, stage.people.OWNER, async ({ page }) => {
      for (const id of [finalSale, ...payments]) {
        await page.goto(`${stage.portal.url}/receipts/${id}`)
        assert.include(await page.textContent("main"), "Цео авансни случај")
        const links = await page.locator(".tree a").evaluateAll((nodes) => nodes.map((node) => node.getAttribute("href")?.replace(/^\/o\/[^/]+\/[^/]+/, "")))
        assert.deepStrictEqual([...links, `/receipts/${id}`].toSorted(), rows.map((row) => `/receipts/${row.operation_id}`).toSorted())
      }
      // The final sale is under the Advance Refund of the closing.
      await page.goto(`${stage.portal.url}/receipts/${finalSale}`)
      assert.strictEqual(await page.locator(".tree .tree .tree [aria-current]").count(), 1)
      await assertGood(page)
    }, { width: 360 })
  }, 60_000)

  it("shows nothing of another organization, and nothing where a receipt stands alone", async () => {
    const sale = await issueSale(stage, { reference: "sama" })
    await asPerson(stage, stage.people.OWNER, async ({ page }) => {
      await page.goto(`${stage.portal.url}/receipts/${sale.id}`)
      assert.strictEqual(await page.locator(".tree").count(), 0)
    })
    const foreign = await client.get(`/receipts/${sale.id}`, { session: await stage.session(stage.people.OTHER) })
    assert.strictEqual(foreign.status, 404)
  })
})
