import { assert, describe, it } from "vitest"
import { browserPath, fitsWidth, violations } from "../../src/portal/browser.ts"
import { issueSale } from "../../src/portal/issueSale.ts"
import { sharedPortal } from "../../src/portal/sharedPortal.ts"
import { enterTo, tabTo, typeInto } from "./keyboard.ts"
import { asPerson, assertGood, click, fill } from "./readers.ts"

const { rowsOf, stage } = sharedPortal()

const sale = { "name-0": "Мешена књига", "unit-0": "ком", "quantity-0": "2", "price-0": "1.250,50", "discount-0": "10", "labels-0": "A", cashier: "Ана" }

// What holds the key of an advance case is no document.
const documents = async () => (await rowsOf("select from operations where status <> 'RECEIVED'")).length

const receipt = /\/receipts\/[0-9a-f-]{36}$/

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

  it("takes an advance, another payment, gives it back, closes it, and refunds the final receipt, by the keyboard alone", () =>
    asPerson(stage, stage.people.OWNER, async ({ page }) => {
      const before = await documents()
      const preview = (text: string) => page.locator("#preview pre", { hasText: text }).last().waitFor()
      await page.goto(`${stage.portal.url}/advances`)
      await tabTo(page, "Прими аванс")
      await enterTo(page, /\/issue\/[0-9a-f-]{36}\?kind=ADVANCE$/)
      await assertGood(page)
      await typeInto(page, { reference: "тастатура", "price-0": "1200", "labels-0": "A", buyer: "123456789", cashier: "Ана" })
      await page.goBack()
      await page.goForward()
      // What was typed is there again after the way back.
      await page.locator("#field-reference").waitFor()
      await page.waitForFunction("document.querySelector('#field-price-0').value === '1200'")
      await page.focus("#field-reference")
      await typeInto(page, { "buyer-kind": "20" })
      await preview("10: Аванс (A)")
      await page.focus("#field-cashier")
      await tabTo(page, "Издај авансни рачун")
      await enterTo(page, receipt)
      await tabTo(page, "Отвори аванс")
      await enterTo(page, /\/advances\/[0-9a-f-]{36}$/)
      const advance = page.url()
      await assertGood(page)
      await tabTo(page, "Следећа уплата")
      await enterTo(page, /\/payment\/[0-9a-f-]{36}$/)
      await typeInto(page, { "price-0": "800", "labels-0": "A" })
      await preview("800,00")
      await assertGood(page)
      await tabTo(page, "Издај авансни рачун")
      await enterTo(page, receipt)
      await page.goto(advance)
      await tabTo(page, "Врати последњу уплату")
      await enterTo(page, /\/refund\/[0-9a-f-]{36}$/)
      await typeInto(page, { reason: "одустао" })
      await preview("800,00")
      await assertGood(page)
      await tabTo(page, "Издај рефундацију аванса")
      await enterTo(page, receipt)
      await page.goto(advance)
      await tabTo(page, "Затвори коначним рачуном")
      await enterTo(page, /\/closing\/[0-9a-f-]{36}$/)
      await typeInto(page, { "name-0": "Орман", "unit-0": "ком", "price-0": "5000", "labels-0": "A" })
      await preview("3.800,00")
      await assertGood(page)
      await tabTo(page, "Затвори аванс")
      await enterTo(page, receipt)
      assert.include(await page.innerText("main"), "Фискализован")
      await tabTo(page, "Рефундирај")
      await enterTo(page, /\/refund\/[0-9a-f-]{36}$/)
      await typeInto(page, { "line-0": "1", "payment-0": "CARD", buyer: "100000008", reason: "оштећено" })
      await page.focus("#field-line-0")
      await typeInto(page, { "buyer-kind": "10" })
      await preview("РЕФУНДАЦИЈА")
      await assertGood(page)
      await page.focus("#field-cashier")
      await tabTo(page, "Издај рефундацију")
      await enterTo(page, receipt)
      for (const text of ["Фискализован", "оштећено"]) assert.include(await page.innerText("main"), text)
      // Two payments, a refund of one, the closing's own refund, the final receipt and its refund.
      assert.strictEqual(await documents(), before + 6)
    }), 240_000)

  it("says that it is being sent while the V-PFR hangs, opens the document, and shows the receipt by itself", () =>
    asPerson(stage, stage.people.OWNER, async ({ page }) => {
      const { id } = await issueSale(stage, { reference: "виси" })
      await page.goto(`${stage.portal.url}/receipts/${id}/refund`)
      await fill(page, { buyer: "100000008", cashier: "Ана" })
      await page.locator("#preview pre").waitFor()
      const before = await documents()
      await stage.desk.simulator.addFault({ fault: "delay", ms: 12_000, times: 1 })
      try {
        // The page is asked by itself what it says: while a page is on its way, the test cannot ask.
        await page.evaluate("new MutationObserver(() => sessionStorage.setItem('said', document.querySelector('#preview').textContent)).observe(document.querySelector('#preview'), { childList: true, subtree: true })")
        // A double click is one submit.
        await page.dblclick("#preview button", { noWaitAfter: true, delay: 5 })
        await page.waitForURL(receipt, { timeout: 20_000 })
        assert.include(await page.evaluate("sessionStorage.getItem('said')"), "Шаље се В-ПФР-у")
        assert.include(await page.textContent("[data-status]"), "Шаље се")
        await page.locator("[data-status]", { hasText: "Фискализован" }).waitFor({ timeout: 60_000 })
      } finally {
        await stage.desk.simulator.clearFaults()
      }
      assert.strictEqual(await documents(), before + 1)
    }), 180_000)

  it("sends a document again that was not sent, by the keyboard alone", () =>
    asPerson(stage, stage.people.OWNER, async ({ page }) => {
      await stage.desk.simulator.addFault({ fault: "refuse-connection" })
      const { id } = await issueSale(stage, { reference: "поново" }).finally(() => stage.desk.simulator.clearFaults())
      await page.goto(`${stage.portal.url}/receipts/${id}`)
      await assertGood(page)
      await tabTo(page, "Пошаљи поново")
      await enterTo(page, /\/again$/)
      await assertGood(page)
      await tabTo(page, "Пошаљи поново")
      await enterTo(page, receipt)
      assert.include(await page.innerText("main"), "Фискализован")
    }), 120_000)

  it("corrects a rejected document and issues it anew", () =>
    asPerson(stage, stage.people.OWNER, async ({ page }) => {
      await stage.desk.simulator.addFault({ fault: "reject", times: 1, modelState: [{ property: "items[0].labels[0]", errors: ["2310"] }] })
      await issueSale(stage, { reference: "одбијен" }).catch(() => undefined).finally(() => stage.desk.simulator.clearFaults())
      const [{ id } = { id: "" }] = await rowsOf<{ readonly id: string }>("select operation_id::text as id from operations where client_reference = 'одбијен' and status = 'REJECTED'")
      await page.goto(`${stage.portal.url}/receipts/${id}`)
      await tabTo(page, "Исправи и издај поново")
      await enterTo(page, /\/issue\/[0-9a-f-]{36}\?from=/)
      await page.fill("#field-cashier", "Ана")
      await page.locator("#preview pre").waitFor()
      await assertGood(page)
      await page.focus("#field-cashier")
      await tabTo(page, "Издај рачун")
      await enterTo(page, receipt)
      assert.include(await page.innerText("main"), "Фискализован")
      await page.goto(`${stage.portal.url}/receipts/${id}`)
      assert.include(await page.innerText("main"), "Уместо овог издат је други документ")
    }), 120_000)
})
