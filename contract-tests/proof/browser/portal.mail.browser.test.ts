import { assert, beforeAll, describe, it } from "vitest"
import { browserPath } from "../../src/portal/browser.ts"
import { issueSale } from "../../src/portal/issueSale.ts"
import { asPerson, assertGood, click, pathIn, withoutBrowserChecks } from "./readers.ts"
import { sharedPortal } from "../../src/portal/sharedPortal.ts"

const { client, rowsOf, stage } = sharedPortal()
let path: string
beforeAll(() => {
  path = `/setup/mail/${stage.shop.taxpayerId}`
})

const queued = () => rowsOf<{ readonly recipient: string; readonly status: string }>("select recipient, status from receipt_deliveries order by created_at")

describe.runIf(browserPath !== null)("receipts by e-mail, in a real browser", () => {
  it.each([360, 1_280])("at %i px: settings are saved; a wrong address is told at its field and nothing typed is lost", async (width) => {
    await asPerson(stage, stage.people.ADMINISTRATOR, async ({ page }) => {
      await page.goto(`${stage.portal.url}/setup`)
      await click(page, `a[href$="${path}"]`)
      await assertGood(page)
      await withoutBrowserChecks(page)
      await page.check("#field-enabled-yes")
      await page.fill("#field-senderName", `Зора <${width}>`)
      await page.fill("#field-replyTo", "zora@primer example")
      await page.check("#field-format-pdf-80mm")
      await click(page, "text='Сачувај'")
      assert.include(await page.textContent("#field-replyTo-fault"), "није адреса")
      assert.strictEqual(await page.inputValue("#field-senderName"), `Зора <${width}>`)
      assert.isTrue(await page.isChecked("#field-format-pdf-80mm"))
      await assertGood(page)
      await page.fill("#field-replyTo", "zora@primer.example")
      await page.focus("main form button")
      await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")])
      assert.include(await page.textContent("[role=status]"), "Сачувано")
      assert.strictEqual(await page.inputValue("#field-senderName"), `Зора <${width}>`)
      assert.isTrue(await page.isChecked("#field-enabled-yes"))
    }, { width })
    const database = await stage.desk.database.client()
    const { rows } = await database.query("select act, after from activity_log where actor = $1 order by at desc limit 1", [`portal:${stage.people.ADMINISTRATOR.email}`])
    assert.strictEqual(rows[0].act, "receipt delivery changed")
    assert.include(String(rows[0].after), `Зора <${width}>`)
  }, 60_000)

  it("two people who change the settings do not overwrite each other silently", async () => {
    await asPerson(stage, stage.people.OWNER, async ({ page }) => {
      await page.goto(stage.portal.url + path)
      await asPerson(stage, stage.people.ADMINISTRATOR, async (other) => {
        await other.page.goto(stage.portal.url + path)
        await other.page.selectOption("#field-locale", "en")
        await click(other.page, "text='Сачувај'")
      })
      await page.fill("#field-senderName", "Моја продавница")
      await click(page, "text='Сачувај'")
      assert.include(await page.textContent("[role=status]"), "Неко је у међувремену")
      assert.strictEqual(await page.inputValue("#field-senderName"), "Моја продавница")
      await click(page, "text='Сачувај'")
      assert.strictEqual(await page.inputValue("#field-senderName"), "Моја продавница")
      assert.include(await page.textContent("[role=status]"), "Сачувано")
    })
  }, 60_000)

  it("a test message goes to oneself alone, once for a form; before the first receipt the page says what is missing", async () => {
    await asPerson(stage, stage.people.OWNER, async ({ page }) => {
      await page.goto(stage.portal.url + path)
      await click(page, "text='Пошаљи себи'")
      assert.include(await page.textContent("[role=alert]"), "Још нема рачуна")
      await assertGood(page)
      await issueSale(stage)
      await page.goto(stage.portal.url + path)
      await click(page, "text='Пошаљи себи'")
      assert.include(await page.textContent("main table"), "У реду за слање")
      await assertGood(page)
    }, { width: 360 })
    assert.deepStrictEqual(await queued(), [{ recipient: stage.people.OWNER.email, status: "QUEUED" }])
    const session = await stage.session(stage.people.OWNER)
    const form = { form: crypto.randomUUID() }
    await Promise.all([1, 2, 3].map(() => client.send(`${path}/test`, session, form)))
    assert.lengthOf(await queued(), 2)
    const foreign = await client.send(`${path}/test`, await stage.session(stage.people.OTHER))
    assert.strictEqual(foreign.status, 404)
  }, 60_000)

  it("a receipt is sent from its page, and shows where it went; one that did not arrive is on the overview with the next step", async () => {
    const { id } = await issueSale(stage, { reference: "order-9" })
    const database = await stage.desk.database.client()
    await asPerson(stage, stage.people.SUPPORT, async ({ page }) => {
      await page.goto(`${stage.portal.url}/receipts/${id}`)
      await click(page, `a[href$="/receipts/${id}/send"]`)
      await page.fill("#field-recipient", "kupac@primer.example")
      await click(page, "main form button")
      assert.include(await page.textContent("main"), "kupac@primer.example")
      await assertGood(page)
    })
    await database.query("update receipt_deliveries set status = 'FAILED', failure = 'REFUSED', last_error = '550 <b>no such user</b>' where recipient = 'kupac@primer.example'")
    await asPerson(stage, stage.people.OWNER, async ({ page }) => {
      await page.goto(stage.portal.url)
      assert.include(await page.textContent("main"), "Рачун није стигао на kupac@primer.example")
      await assertGood(page)
      await click(page, "text='Пошаљи поново'")
      assert.strictEqual(pathIn(page), `/receipts/${id}/send`)
      await page.goto(stage.portal.url + path)
      assert.include(await page.textContent("main table"), "<b>no such user</b>")
    })
  }, 60_000)
})
