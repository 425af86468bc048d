import { readWorkbook } from "@overa/adapter-spreadsheets"
import { formatDecimal } from "@overa/domain"
import { BigDecimal, Result } from "effect"
import { readFileSync } from "node:fs"
import type { Page } from "playwright-core"
import { assert, describe, it, vi } from "vitest"
import { fillMonth, signedTurnover, thisMonth } from "../../src/portal/bookMonth.ts"
import { browserPath } from "../../src/portal/browser.ts"
import { issueSale } from "../../src/portal/issueSale.ts"
import { password } from "../../src/portal/portalStage.ts"
import { sharedPortal } from "../../src/portal/sharedPortal.ts"
import { asPerson, assertGood, click, fill, pathIn } from "./readers.ts"

const { client, rowsOf, stage } = sharedPortal()

const sale = { "name-0": "Дневник", "unit-0": "ком", "quantity-0": "2", "price-0": "640,00", "labels-0": "A", cashier: "Ана" }
const receipt = /\/receipts\/[0-9a-f-]{36}/
const button = "#preview button"

// What holds the key of an advance case is no document.
const documents = async (environment: "production" | "sandbox") =>
  (await rowsOf("select from operations where status <> 'RECEIVED' and environment = $1", [environment])).length

/** A sale typed into a new draft and previewed. */
const typedSale = async (page: Page, scripts = true): Promise<void> => {
  await page.goto(`${stage.portal.url}/o/${stage.shop.organizationId}/sandbox/issue`)
  await fill(page, sale)
  if (!scripts) await page.click("button[name=act][value=preview]")
  await page.locator("#preview pre").waitFor()
  assert.include(await page.locator("#preview").innerText(), "1.280,00")
}

const issueIt = (page: Page): Promise<unknown> => Promise.all([page.waitForURL(receipt), page.click(button)])

describe.runIf(browserPath !== null)("a day in the portal, in a real browser", () => {
  it("two tabs: what is typed in Test is issued in Test, although the other tab has gone to production", () =>
    asPerson(stage, stage.people.OWNER, async ({ context, page }) => {
      const before = [await documents("sandbox"), await documents("production")]
      await typedSale(page)
      const other = await context.newPage()
      await other.goto(`${stage.portal.url}/o/${stage.shop.organizationId}/production/receipts`)
      assert.include(await other.locator(".environment").first().innerText(), "Продукција")
      await issueIt(page)
      assert.include(await page.locator(".environment").first().innerText(), "Тест")
      assert.deepStrictEqual([await documents("sandbox"), await documents("production")], [(before[0] ?? 0) + 1, before[1]])
      // The receipt's address is opened in the other tab: the page is the receipt's own, whatever that tab showed before.
      await other.goto(page.url())
      assert.include(await other.locator(".environment").first().innerText(), "Тест")
      assert.include(await other.innerText("main"), "Фискализован")
    }), 120_000)

  // The page's script takes the button away at the first click; a browser without scripts sends both.
  it.each([true, false])("two clicks within 15 ms are one receipt, and the person sees it; scripts: %s", (scripts) =>
    asPerson(stage, stage.people.OWNER, async ({ page }) => {
      const before = await documents("sandbox")
      await typedSale(page, scripts)
      const sent: Array<string> = []
      page.on("request", (request) => request.method() === "POST" && sent.push(request.url()))
      const { height = 0, width = 0, x = 0, y = 0 } = await page.locator(button).boundingBox() ?? {}
      const press = () => page.mouse.click(x + width / 2, y + height / 2)
      await press()
      await new Promise((resolve) => setTimeout(resolve, 15))
      await press()
      // Without scripts the second click aborts the first one's navigation, and the answer to it a reload: neither is a failure.
      await vi.waitUntil(() => receipt.test(page.url()), { timeout: 20_000, interval: 50 })
      // The page of a document that is still being sent refreshes itself by its script alone.
      await vi.waitUntil(async () => {
        if (!scripts) await page.reload().catch(() => undefined)
        return (await page.innerText("main").catch(() => "")).includes("Фискализован")
      }, { timeout: 20_000, interval: 500 })
      assert.lengthOf(sent, scripts ? 1 : 2)
      assert.strictEqual(await documents("sandbox"), before + 1)
    }, { scripts }), 120_000)

  it("a session that ends while a sale is typed: after the sign-in the entries are there, and nothing was issued by itself", () =>
    asPerson(stage, stage.people.OWNER, async ({ page }) => {
      const before = await documents("sandbox")
      await typedSale(page)
      const address = pathIn(page)
      await rowsOf("update portal_sessions set seen_at = now() - interval '31 minutes' where person_id = $1", [stage.people.OWNER.id])
      await Promise.all([page.waitForURL(/\/sign-in/), page.click(button)])
      assert.include(await page.innerText("main"), "Образац овог пута није извршен")
      await assertGood(page)
      await fill(page, { email: stage.people.OWNER.email, password })
      await click(page, "main form button")
      assert.strictEqual(pathIn(page), address)
      for (const [name, value] of Object.entries(sale)) assert.strictEqual(await page.inputValue(`#field-${name}`), value, name)
      assert.strictEqual(await documents("sandbox"), before)
      await assertGood(page)
      await page.locator("#preview pre").waitFor()
      await issueIt(page)
      assert.strictEqual(await documents("sandbox"), before + 1)
    }), 120_000)

  it("an open restore: the owner sees it above the page, nothing is issued, the entries stay, and the same is issued afterwards", () =>
    asPerson(stage, stage.people.OWNER, async ({ page }) => {
      const before = await documents("sandbox")
      await typedSale(page)
      const banner = "База је враћена на раније стање"
      const session = await stage.session(stage.people.OWNER)
      const isShown = async (shown: boolean) => assert.strictEqual((await client.get("/", { session })).text.includes(banner), shown)
      try {
        await rowsOf("update environment_settings set restoring_since = now()")
        await vi.waitFor(() => isShown(true), 10_000)
        await click(page, button)
        assert.include(await page.innerText("body"), banner)
        assert.include(await page.innerText("main"), "Враћање из резервне копије је у току")
        assert.strictEqual(await page.inputValue("#field-price-0"), sale["price-0"])
        await assertGood(page)
        assert.strictEqual(await documents("sandbox"), before)
      } finally {
        await rowsOf("update environment_settings set restoring_since = null")
      }
      await vi.waitFor(() => isShown(false), 10_000)
      await page.click('button[value="preview"]')
      await page.locator("#preview pre").waitFor()
      await issueIt(page)
      assert.strictEqual(await documents("sandbox"), before + 1)
    }), 120_000)

  it("the accountant saves the month, whose sum is what was signed, and has no way to issue", async () => {
    await fillMonth(stage)
    await asPerson(stage, stage.people.ACCOUNTANT, async ({ page }) => {
      await page.goto(`${stage.portal.url}/o/${stage.shop.organizationId}/sandbox/books`)
      await page.selectOption("#field-month", thisMonth())
      await click(page, 'main form button[type="submit"]')
      await assertGood(page)
      const [download] = await Promise.all([page.waitForEvent("download"), page.click('main a[href*="/books/xlsx"][href*="sr-Latn"]')])
      const [titles, ...rows] = Result.getOrThrow(readWorkbook(readFileSync(await download.path()), 10_000, "Spisak računa")).rows.map(({ cells }) => cells)
      const amounts = rows.map((cells) => cells[titles?.indexOf("Iznos") ?? -1] ?? "").filter((text) => text !== "").map(BigDecimal.fromStringUnsafe)
      const [signed] = await rowsOf<{ readonly total: string }>(signedTurnover, [stage.shop.organizationId])
      assert.strictEqual(formatDecimal(BigDecimal.sumAll(amounts), 2), formatDecimal(BigDecimal.fromStringUnsafe(signed?.total ?? ""), 2))
      const { id } = await issueSale(stage, { reference: "looked at" })
      await page.goto(`${stage.portal.url}/o/${stage.shop.organizationId}/sandbox/receipts/${id}`)
      assert.strictEqual(await page.locator('a[href*="/refund"], a[href*="/copy"], a[href$="/issue"]').count(), 0)
    })
  }, 180_000)
})
