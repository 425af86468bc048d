import { TurnoverGrouping } from "@overa/domain"
import { readFileSync } from "node:fs"
import { assert, beforeAll, describe, it } from "vitest"
import { browserPath } from "../../src/portal/browser.ts"
import { issueSale } from "../../src/portal/issueSale.ts"
import { asPerson, assertGood, click } from "./readers.ts"
import { sharedPortal } from "../../src/portal/sharedPortal.ts"

const { client, stage } = sharedPortal()
beforeAll(async () => {
  await issueSale(stage, { quantity: 2, cashier: "=cmd|calc" })
  await issueSale(stage, { quantity: 1, payment: "CASH", cashier: "<b>ana</b>" })
}, 120_000)

const address = (...groupBy: ReadonlyArray<string>) =>
  `/reports?from=2020-01-01&to=2099-12-31&premise=${groupBy.map((it) => `&groupBy=${it}`).join("")}`

describe.runIf(browserPath !== null)("the turnover, in a real browser", () => {
  it.each([360, 1_280])("at %i px: this month by day first; grouped by kind of payment and cashier by keyboard alone", async (width) => {
    await asPerson(stage, stage.people.ACCOUNTANT, async ({ page }) => {
      await page.goto(`${stage.portal.url}/reports`)
      assert.include(await page.textContent("tbody tr:last-child"), "3.751,50")
      await assertGood(page)
      for (const name of ["day", "paymentType", "cashier"]) {
        await page.focus(`#field-groupBy-${name}`)
        await page.keyboard.press("Space")
      }
      await page.focus("main form button")
      await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")])
      const rows = await page.locator("tbody tr").allTextContents()
      assert.lengthOf(rows, 3)
      assert.isTrue(rows.some((row) => row.includes("Готовина") && row.includes("<b>ana</b>") && row.includes("1.250,50")), rows.join("\n"))
      assert.strictEqual(await page.locator(".chart rect").count(), 2)
      await assertGood(page)
    }, { width })
  }, 60_000)

  it("needs no JavaScript", async () => {
    await asPerson(stage, stage.people.ACCOUNTANT, async ({ page }) => {
      await page.goto(`${stage.portal.url}/reports`)
      await page.check("#field-groupBy-paymentType")
      await click(page, "main form button")
      assert.include(await page.textContent("tbody"), "Готовина")
    }, { scripts: false })
  })

  it("is drawn for every grouping and two at once, and says what is wrong with a day, keeping what was typed", async () => {
    await asPerson(stage, stage.people.OWNER, async ({ page }) => {
      for (const grouping of TurnoverGrouping.literals) {
        await page.goto(stage.portal.url + address(grouping, "month"))
        assert.include(await page.textContent("tbody tr:last-child"), "3.751,50", grouping)
        await assertGood(page)
      }
      await page.goto(`${stage.portal.url}/reports?from=2026-02-31&to=2026-03-01&groupBy=month`)
      assert.include(await page.textContent("#field-from-fault"), "Унесите дан")
      assert.isTrue(await page.isChecked("#field-groupBy-month"))
      assert.strictEqual(await page.inputValue("#field-to"), "2026-03-01")
      await page.goto(`${stage.portal.url}/reports?from=2026-03-02&to=2026-03-01`)
      assert.include(await page.textContent("#field-to-fault"), "не може бити пре")
      await assertGood(page)
    })
  }, 60_000)

  it("is saved as CSV in which nothing is a formula; another organization sees nothing of it", async () => {
    await asPerson(stage, stage.people.ACCOUNTANT, async ({ page }) => {
      await page.goto(stage.portal.url + address("cashier", "premise"))
      const [download] = await Promise.all([page.waitForEvent("download"), click(page, "text=CSV").catch(() => undefined)])
      const csv = readFileSync(await download.path(), "utf8")
      assert.match(csv, /^\uFEFFОзнака простора,Пословни простор,Касир,Рачуна продаје,"Продаја, RSD",Рачуна рефундације,"Рефундације, RSD","Нето промет, RSD",/)
      assert.include(csv, "'=cmd|calc,1,2501.00,0,0.00,2501.00,")
      assert.include(csv, "<b>ana</b>,1,1250.50,0,0.00,1250.50,")
      assert.notMatch(csv, /(?:^|,)"?=/m)
    })
    const foreign = await client.get(address("cashier"), { session: await stage.session(stage.people.OTHER) })
    assert.strictEqual(foreign.status, 200)
    assert.notInclude(foreign.text, "cmd|calc")
  })
})
