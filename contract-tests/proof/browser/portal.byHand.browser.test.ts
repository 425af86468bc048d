import type { Page } from "playwright-core"
import { assert, describe, it } from "vitest"
import { browserPath, fitsWidth, violations } from "../../src/portal/browser.ts"
import { sharedPortal } from "../../src/portal/sharedPortal.ts"
import { asPerson, click, fill } from "./readers.ts"

const { rowsOf, stage } = sharedPortal()

const sale = { "name-0": "Мешена књига", "unit-0": "ком", "quantity-0": "2", "price-0": "1.250,50", "discount-0": "10", "labels-0": "A", cashier: "Ана" }

const documents = async () => (await rowsOf("select from operations")).length

/** From the field that has the focus, by the keyboard alone, to the button with this text. */
const tabTo = async (page: Page, text: string): Promise<void> => {
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press("Tab")
    if (await page.evaluate("document.activeElement?.textContent") === text) return
  }
  assert.fail(`no button "${text}" is reached by the keyboard`)
}

describe.runIf(browserPath !== null)("issuing by hand, in a real browser", () => {
  it("previews while it is typed, keeps the entries through a reload, and issues by the keyboard alone", () =>
    asPerson(stage, stage.people.OWNER, async ({ page }) => {
      await page.goto(`${stage.portal.url}/issue`)
      await fill(page, sale)
      await page.locator("#preview pre").waitFor()
      assert.include(await page.locator("#preview").innerText(), "2.250,90")
      await page.reload()
      await page.locator("#preview pre").waitFor()
      assert.strictEqual(await page.inputValue("#field-price-0"), "1.250,50")
      // Enter in a field issues nothing.
      await Promise.all([page.waitForResponse((it) => it.url().endsWith("/entry")), page.press("#field-price-0", "Enter")])
      await page.locator("#preview pre").waitFor()
      assert.strictEqual(await documents(), 0)
      for (const width of [320, 360, 1_280, 1_920]) {
        for (const colorScheme of ["light", "dark"] as const) {
          await page.setViewportSize({ width, height: 900 })
          await page.emulateMedia({ colorScheme })
          assert.deepStrictEqual(await violations(page), [], `${width} ${colorScheme}`)
          assert.isTrue(await fitsWidth(page), `${width} ${colorScheme}`)
        }
      }
      await page.setViewportSize({ width: 1_280, height: 900 })
      await page.focus("#field-cashier")
      await tabTo(page, "Издај рачун")
      await Promise.all([page.waitForURL(/\/receipts\/[0-9a-f-]{36}$/), page.keyboard.press("Enter")])
      assert.include(await page.innerText("main"), "Фискализован")
      // The way back leads to the receipt, not to another one.
      await page.goBack()
      await page.goto(page.url())
      assert.strictEqual(await documents(), 1)
    }), 120_000)

  it("works without scripts", () =>
    asPerson(stage, stage.people.OWNER, async ({ page }) => {
      const before = await documents()
      await page.goto(`${stage.portal.url}/issue`)
      await fill(page, sale)
      await click(page, 'button[value="line"]')
      assert.strictEqual(await page.locator("fieldset.line").count(), 2)
      await click(page, 'button[value="preview"]')
      assert.include(await page.locator("#preview").innerText(), "2.250,90")
      await click(page, "#preview button")
      assert.include(await page.innerText("main"), "Фискализован")
      assert.strictEqual(await documents(), before + 1)
    }, { scripts: false }), 120_000)
})
