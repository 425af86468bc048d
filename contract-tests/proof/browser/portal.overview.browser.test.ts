import { assert, describe, it } from "vitest"
import { browserPath } from "../../src/portal/browser.ts"
import { whileNobodyKnows } from "../../src/portal/loseAnswers.ts"
import { issueSale, refundAll } from "../../src/portal/issueSale.ts"
import { asPerson, assertGood, click, pathIn } from "./readers.ts"
import { sharedPortal } from "../../src/portal/sharedPortal.ts"

const { stage } = sharedPortal()

describe.runIf(browserPath !== null)("the overview, in a real browser", () => {
  it.each([360, 1_280])("at %i px: counts receipts, and names what needs a person with the next step", async (width) => {
    await issueSale(stage)
    await asPerson(stage, stage.people.OWNER, async ({ page }) => {
      await page.goto(stage.portal.url)
      assert.include(await page.textContent("main"), width === 360 ? "Ништа не чека на вас" : "Чека на вас")
      const sold = width === 360 ? ["1", "3.751,50", "0", "0,00", "3.751,50"] : ["2", "7.503,00", "0", "0,00", "7.503,00"]
      for (const row of [1, 2]) {
        const cells = await page.locator(`tbody tr:nth-child(${row}) td`).allTextContents()
        assert.deepStrictEqual(cells.slice(1), sold)
      }
      assert.include(await page.textContent("tbody tr:nth-child(4)"), "Прошли месец")
      assert.isAtLeast(await page.locator(".chart rect").count(), 29)
      await assertGood(page)
    }, { width })
    const unknown = await whileNobodyKnows(stage, () => issueSale(stage))
    await asPerson(stage, stage.people.ACCOUNTANT, async ({ page }) => {
      await page.goto(stage.portal.url)
      assert.include(await page.textContent("main"), "Ништа ново не шаљите")
      await assertGood(page)
      await click(page, `a[href$="/receipts/${unknown.id}"]`)
      assert.include(await page.textContent("main"), "Исход непознат")
    }, { width })
  }, 60_000)

  it("what was sold and what was given back stand in columns of their own, and sum to the net turnover", async () => {
    await refundAll(stage, await issueSale(stage, { quantity: 1 }))
    await asPerson(stage, stage.people.OWNER, async ({ page }) => {
      await page.goto(stage.portal.url)
      const cells = await page.locator("tbody tr:nth-child(1) td").allTextContents()
      assert.deepStrictEqual(cells.slice(1), ["3", "8.753,50", "1", "-1.250,50", "7.503,00"])
    })
  }, 60_000)

  it.each([360, 1_280])("at %i px: whoever has nothing yet sees the next step with what it needs, in its own environment, and it moves on", async (width) => {
    await asPerson(stage, stage.people.OTHER, async ({ page }) => {
      await page.goto(stage.portal.url)
      const progress = Number(await page.getAttribute("progress", "value"))
      const step = "[aria-current=step]"
      assert.include(await page.textContent(step), "Сада")
      await assertGood(page)
      const steps = Number(await page.getAttribute("progress", "max"))
      await click(page, `${step} a`)
      assert.include(page.url(), "/sandbox/")
      await page.goto(stage.portal.url)
      await click(page, "a[href$='/setup/going-live']")
      assert.strictEqual(await page.locator(".steps > li").count(), steps)
      assert.strictEqual(await page.locator(".steps .badge.good").count(), progress)
      await assertGood(page)
    }, { width })
  }, 60_000)

  it("the first page is at most 50 kB over the wire, its style sheet included", async () => {
    await asPerson(stage, stage.people.OWNER, async ({ page }) => {
      const sizes: Array<Promise<Buffer>> = []
      // The browser may request the icon at any time; a redirect has no body.
      page.on("response", (response) => void (response.url().endsWith(".svg") || response.status() >= 300 || sizes.push(response.body())))
      await page.goto(stage.portal.url, { waitUntil: "networkidle" })
      const bytes = (await Promise.all(sizes)).reduce((sum, body) => sum + body.length, 0)
      assert.isAbove(bytes, 10_000)
      assert.isAtMost(bytes, 50_000)
    })
  })

  it("production without a licence says so, and where to look; the subscription says what is used", async () => {
    await asPerson(stage, stage.people.OWNER, async ({ page }) => {
      await page.goto(`${stage.portal.url}/organization`)
      await page.selectOption("#field-environment", "production")
      await click(page, "main button")
      assert.include(await page.textContent("main"), "Лиценца не дозвољава")
      await click(page, "a[href$='/subscription'] >> nth=-1")
      assert.include(await page.textContent("main"), "0 / 600")
      await assertGood(page)
    })
  })

  it("Support lands at the receipts", async () => {
    await asPerson(stage, stage.people.SUPPORT, async ({ page }) => {
      await page.goto(stage.portal.url)
      assert.strictEqual(pathIn(page), "/receipts")
    })
  })
})
