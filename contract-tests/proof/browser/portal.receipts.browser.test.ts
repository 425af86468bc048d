import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { browserPath } from "../../src/portal/browser.ts"
import { issueSale } from "../../src/portal/issueSale.ts"
import { asPerson, assertGood, click, withoutBrowserChecks } from "./readers.ts"
import { sharedPortal } from "../../src/portal/sharedPortal.ts"

const { client, stage } = sharedPortal()

const refundsOf = async (originalId: string): Promise<number> => {
  const database = await stage.desk.database.client()
  const { rows } = await database.query("select count(*)::int as count from refund_workflows where original_id = $1", [originalId])
  return rows[0].count as number
}

const buyer = "10:100000008"

describe.runIf(browserPath !== null)("receipts, in a real browser", () => {
  it.each([360, 1_280])("at %i px: prints the receipt alone, on the seller's paper, and checks it without asking for a key", async (width) => {
    const sale = await issueSale(stage, { reference: "print-1" })
    await asPerson(stage, stage.people.SUPPORT, async ({ page }) => {
      await page.goto(`${stage.portal.url}/receipts/${sale.id}`)
      const papers = await page.locator(".print a").evaluateAll((links) => links.map((it) => (it as unknown as { readonly href: string }).href.split("/").at(-1)))
      assert.deepStrictEqual(papers, ["pdf-a4", "pdf-80mm", "pdf-58mm"])
      await assertGood(page)
      await page.emulateMedia({ media: "print" })
      assert.isTrue(await page.isVisible(".paper img"))
      for (const other of ["h1", "nav", ".top", "footer", ".timeline", ".facts", ".print a", "tbody tr"]) {
        assert.deepStrictEqual([other, await page.locator(other).first().isVisible()], [other, false])
      }
      await page.emulateMedia({ media: "screen" })
      await click(page, "text=Провери рачун")
      const findings = await page.locator("main li").allTextContents()
      assert.isTrue(findings.some((it) => it.includes("Потпис је исправан")), findings.join("\n"))
      assert.isTrue(findings.some((it) => it.includes("3751.50")), findings.join("\n"))
      assert.strictEqual(await page.locator(".badge.bad").count(), 0)
      await assertGood(page)
      await page.goto(`${stage.portal.url}/receipts/${stage.shop.taxpayerId}/verify`)
      assert.include(await page.textContent("h1"), "Не постоји")
    }, { width })
  }, 60_000)

  it.each([[360, true], [1_280, true], [1_280, false]] as const)("at %i px, scripts %s: find one, see its paper, save it, copy it, refund it for cash", async (width, scripts) => {
    const sale = await issueSale(stage, { reference: `order-${width}-${scripts}` })
    await asPerson(stage, stage.people.OWNER, async ({ page }) => {
      const look = () => (scripts ? assertGood(page) : Promise.resolve())
      await page.goto(`${stage.portal.url}/receipts`)
      assert.include(await page.textContent("table"), sale.number)
      await look()
      await page.fill("#field-text", sale.number)
      await click(page, "main form button")
      assert.strictEqual(await page.textContent("h1"), sale.number)
      assert.include(await page.textContent(".timeline"), "В-ПФР је потписао")
      if (scripts) {
        await page.waitForFunction("document.querySelector('.paper img').naturalWidth > 200")
        await look()
      }
      const [download] = await Promise.all([page.waitForEvent("download"), page.click("text=TXT")])
      assert.include(readFileSync(await download.path(), "utf8"), "ФИСКАЛНИ РАЧУН")
      await click(page, "text=Издај копију")
      await page.fill("#field-cashier", "ana@primer.example")
      await click(page, "main form button")
      assert.include(await page.textContent("#field-cashier-fault"), "без е-поште")
      await look()
      await page.fill("#field-cashier", "Ана")
      await click(page, "main form button")
      assert.include(await page.textContent("main"), "Копија је издата")
      // The name is kept for the next document, and every document can change it.
      await page.goto(`${stage.portal.url}/receipts/${sale.id}/refund`)
      assert.strictEqual(await page.inputValue("#field-line-0"), "3")
      await look()
      await page.fill("#field-line-0", "4")
      assert.strictEqual(await page.inputValue("#field-cashier"), "Ана")
      await page.fill("#field-buyer", "нико")
      const press = async (value: string) => {
        if (!scripts) return await click(page, `button[value="${value}"]`)
        await Promise.all([page.waitForResponse((it) => it.url().endsWith("/entry")), page.click(`button[value="${value}"]`)])
        return await page.locator("#field-find, #field-line-0").first().waitFor()
      }
      await press("preview")
      await page.locator("#field-line-0-fault").waitFor()
      assert.include(await page.textContent("#field-line-0-fault"), "Толико није остало")
      assert.include(await page.textContent("#field-buyer-fault"), "врсту идентификације")
      assert.strictEqual(await page.inputValue("#field-buyer"), "нико")
      await look()
      await page.fill("#field-line-0", "1,5")
      await page.fill("#field-buyer", buyer)
      await page.selectOption("#field-payment-0", "CASH")
      await press("preview")
      await page.locator("#preview pre").waitFor()
      assert.include(await page.textContent("#preview"), "1.875,75 RSD")
      await look()
      await click(page, "#preview button")
      assert.include(await page.textContent("main"), "Фискализован")
      assert.include(await page.textContent("main"), "Копија за потпис купца")
      assert.strictEqual(await refundsOf(sale.id), 1)
      await page.goto(`${stage.portal.url}/receipts/${sale.id}/refund`)
      assert.include(await page.textContent("main"), "1,5 ком")
    }, { width, scripts })
  }, 90_000)

  it("what a shop writes is text on every page", async () => {
    const evil = `<script>alert(1)</script>"'><img src=x onerror=alert(2)>`
    const sale = await issueSale(stage, { item: evil, reference: evil, footer: evil, cashier: "<b>x</b>" })
    await asPerson(stage, stage.people.OWNER, async ({ page }) => {
      for (const path of ["/receipts", `/receipts/${sale.id}`, `/receipts/${sale.id}/refund`, `/receipts?text=${encodeURIComponent(evil)}`]) {
        await page.goto(stage.portal.url + path)
        assert.strictEqual(await page.locator("script:not([src]), main img[src='x'], main b").count(), 0, path)
        assert.include(await page.content(), "&lt;script&gt;", path)
      }
    })
  })

  it("Support sees a receipt and no button for money; the first page is small", async () => {
    const sale = await issueSale(stage)
    await asPerson(stage, stage.people.SUPPORT, async ({ page }) => {
      await page.goto(`${stage.portal.url}/receipts/${sale.id}`)
      assert.strictEqual(await page.locator("text=Рефундирај").count(), 0)
      assert.strictEqual(await page.locator("text=Издај копију").count(), 0)
    })
    const { text } = await client.get("/receipts", { session: await stage.session(stage.people.SUPPORT) })
    assert.isBelow(Buffer.byteLength(text), 50_000)
  })
})

describe.runIf(browserPath !== null)("a receipt by e-mail, in a real browser", () => {
  it("is queued once by Support, to a valid address, where the taxpayer has it switched on", async () => {
    const sale = await issueSale(stage)
    await asPerson(stage, stage.people.SUPPORT, async ({ page }) => {
      await page.goto(`${stage.portal.url}/receipts/${sale.id}`)
      await click(page, "text=Пошаљи е-поштом")
      await assertGood(page)
      await page.fill("#field-recipient", "kupac@primer.example")
      await click(page, "main form button")
      assert.include(await page.textContent("[role=alert]"), "искључено за овог обвезника")
      assert.strictEqual(await page.inputValue("#field-recipient"), "kupac@primer.example")
      await stage.desk.admin(["shops", "delivery", stage.shop.taxpayerId, "on", "--reason", "test"])
      await withoutBrowserChecks(page)
      await page.fill("#field-recipient", "kupac@primer.example\r\nBcc: svi")
      await click(page, "main form button")
      assert.include(await page.textContent("#field-recipient-fault"), "исправну адресу")
      await assertGood(page)
      await page.fill("#field-recipient", "kupac@primer.example")
      await click(page, "main form button")
      assert.include(await page.textContent("[role=status]:not(.unseen)"), "у реду за слање")
    }, { width: 360 })
    const database = await stage.desk.database.client()
    const { rows } = await database.query("select recipient from receipt_deliveries where fiscal_document_id = $1", [sale.id])
    assert.deepStrictEqual(rows.map((row) => row.recipient), ["kupac@primer.example"])
  }, 60_000)
})
