import { strFromU8, unzipSync } from "fflate"
import { readFileSync } from "node:fs"
import { assert, beforeAll, describe, it } from "vitest"
import { browserPath } from "../../src/portal/browser.ts"
import { issueSale, refundAll } from "../../src/portal/issueSale.ts"
import { asPerson, assertGood, click } from "./readers.ts"
import { sharedPortal } from "../../src/portal/sharedPortal.ts"

const { client, stage } = sharedPortal()
beforeAll(async () => {
  await issueSale(stage, { item: "Шећер у праху", reference: "=1+1" })
  await refundAll(stage, await issueSale(stage, { item: "Чај", reference: "<i>ред</i>" }))
}, 120_000)

const files = async (path: string): Promise<Buffer> => {
  let bytes = Buffer.alloc(0)
  await asPerson(stage, stage.people.ACCOUNTANT, async ({ page }) => {
    await page.goto(stage.portal.url + path)
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("text=/Excel|XLSX/")])
    bytes = readFileSync(await download.path())
  })
  return bytes
}

describe.runIf(browserPath !== null)("the search for receipts, in a real browser", () => {
  it.each([360, 1_280])("at %i px: by a part of an item in another script, by kind and by day; wrong days are told at their fields", async (width) => {
    await asPerson(stage, stage.people.SUPPORT, async ({ page }) => {
      await page.goto(`${stage.portal.url}/receipts`)
      assert.strictEqual(await page.locator("tbody tr").count(), 3)
      await assertGood(page)
      await page.fill("#field-text", "secer")
      await page.keyboard.press("Enter")
      await page.waitForURL(/text=secer/)
      assert.strictEqual(await page.locator("tbody tr").count(), 1)
      await page.goto(`${stage.portal.url}/receipts`)
      await page.focus("summary")
      await page.keyboard.press("Enter")
      await page.selectOption("#field-transactionType", "REFUND")
      await page.fill("#field-from", "2020-01-01")
      await assertGood(page)
      await click(page, "main form button")
      assert.strictEqual(await page.locator("tbody tr").count(), 1)
      assert.include(await page.textContent("tbody"), "рефундација")
      await assertGood(page)
      await page.goto(`${stage.portal.url}/receipts?from=2026-02-30&to=2026-01-01&text=secer`)
      assert.include(await page.textContent("#field-from-fault"), "Унесите дан")
      assert.strictEqual(await page.inputValue("#field-text"), "secer")
      await assertGood(page)
      assert.strictEqual(await page.locator("main a[href*='/receipts/export']").count(), 0)
    }, { width })
  }, 60_000)

  it("from one field: an amount, a day, the middle of a number; it tells the sum, refunds with a minus, and arranges the columns", async () => {
    const cheap = await issueSale(stage, { item: "Кеса", quantity: 1 })
    await asPerson(stage, stage.people.OWNER, async ({ page }) => {
      const ask = async (text: string) => {
        await page.fill("#find-everything", text)
        await Promise.all([page.waitForURL((url) => url.pathname.endsWith("/receipts")), page.press("#find-everything", "Enter")])
      }
      const amounts = () => page.locator("tbody td.number").allTextContents()
      await page.goto(stage.portal.url)
      await ask("3.751,50")
      assert.strictEqual(await page.inputValue("#field-amountFrom"), "3.751,50")
      assert.deepStrictEqual((await amounts()).toSorted(), ["-3.751,50", "3.751,50", "3.751,50"])
      const tiles = await page.locator(".tile strong").allTextContents()
      assert.deepStrictEqual(tiles, ["7.503,00 RSD", "-3.751,50 RSD", "3.751,50 RSD"])
      await assertGood(page)
      await ask("-3.751,50")
      assert.deepStrictEqual(await amounts(), ["-3.751,50"])
      await ask(cheap.number.slice(3, -1))
      const found = await page.locator("tbody tr").count()
      await ask(cheap.number.slice(3))
      assert.isAtMost(await page.locator("tbody tr").count(), found)
      assert.include(await page.textContent("tbody"), cheap.number)
      await ask("1.1.2020.")
      assert.strictEqual(await page.inputValue("#field-from"), "2020-01-01")
      assert.strictEqual(await page.locator("tbody tr").count(), 0)
      await page.goto(`${stage.portal.url}/receipts`)
      await click(page, "thead >> text=Износ")
      assert.deepStrictEqual(await amounts(), ["3.751,50", "3.751,50", "1.250,50", "-3.751,50"])
      assert.strictEqual(await page.locator("th[aria-sort=descending]").count(), 1)
      await click(page, "thead >> text=Износ")
      assert.deepStrictEqual(await amounts(), ["-3.751,50", "1.250,50", "3.751,50", "3.751,50"])
      await assertGood(page)
      await page.goto(`${stage.portal.url}/receipts?amountFrom=x&amountTo=1`)
      assert.include(await page.textContent("#field-amountFrom-fault"), "2.399,99")
      await page.goto(`${stage.portal.url}/find?text=%20`)
      assert.include(page.url(), "/receipts")
    })
  }, 60_000)

  it("walks page by page through more than a page holds, none twice and none left out", async () => {
    await Promise.all(Array.from({ length: 27 }, (_, at) => issueSale(stage, { reference: `serija-${at}` })))
    await asPerson(stage, stage.people.OWNER, async ({ page }) => {
      await page.goto(`${stage.portal.url}/receipts?text=serija`)
      const first = await page.locator("tbody tr a").allTextContents()
      await click(page, "text='Старији'")
      const second = await page.locator("tbody tr a").allTextContents()
      assert.strictEqual(new Set([...first, ...second]).size, 27)
      assert.deepStrictEqual([first.length, second.length], [25, 2])
    })
  }, 60_000)

  it("saves what was searched for as a workbook and as CSV, in which nothing is a formula or an element", async () => {
    const workbook = unzipSync(await files("/receipts?text=1%2B1"))
    const sheet = strFromU8(workbook["xl/worksheets/sheet1.xml"] ?? new Uint8Array())
    assert.include(sheet, "=1+1</t>")
    assert.notInclude(sheet, "<f>")
    const session = await stage.session(stage.people.ACCOUNTANT)
    const csv = await client.get("/receipts/export/csv", { session })
    assert.match(String(csv.headers["content-disposition"]), /attachment; filename="journal\.csv"/)
    assert.include(csv.text, "'=1+1")
    assert.include(csv.text, "<i>ред</i>")
    assert.notMatch(csv.text, /(?:^|,)"?=/m)
    const turnover = unzipSync(await files("/reports?from=2020-01-01&to=2099-12-31&groupBy=cashier"))
    assert.match(strFromU8(turnover["xl/worksheets/sheet1.xml"] ?? new Uint8Array()), /<t xml:space="preserve">web-shop<\/t><\/is><\/c><c><v>30<\/v><\/c><c s="1"><v>[\d.]+<\/v><\/c><c><v>1<\/v><\/c>/)
    const foreign = await client.get("/receipts/export/csv", { session: await stage.session(stage.people.OTHER) })
    assert.strictEqual(foreign.text.trim().split("\n").length, 1)
  }, 60_000)

  it("a receipt's proof is saved by its own organization alone", async () => {
    const { id } = await issueSale(stage)
    const own = await client.get(`/receipts/${id}/proof`, { session: await stage.session(stage.people.SUPPORT) })
    assert.strictEqual((JSON.parse(own.text) as { readonly document: { readonly id: string } }).document.id, id)
    const foreign = await client.get(`/receipts/${id}/proof`, { session: await stage.session(stage.people.OTHER) })
    assert.strictEqual(foreign.status, 404)
  })
})
