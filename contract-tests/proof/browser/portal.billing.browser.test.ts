import { BillingTerms, monthOf, monthsLater, OrganizationId, PortalSessions } from "@overa/domain"
import { DateTime, Effect } from "effect"
import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import type { Page } from "playwright-core"
import { assert, beforeAll, describe, it } from "vitest"
import { browserPath } from "../../src/portal/browser.ts"
import { digestOf, type PortalStage } from "../../src/portal/portalStage.ts"
import { asPerson, assertGood, click, fill, giveReason } from "./readers.ts"
import { sharedPortal } from "../../src/portal/sharedPortal.ts"
import { arrangeMonth, monthToClose } from "../../src/support/billedMonth.ts"
import { readPdf } from "../../src/support/pdfText.ts"

const month = monthToClose()
const next = monthsLater(monthOf(Effect.runSync(DateTime.now)), 1)
const injected = "<img src=x onerror=alert(1)> \"Зора\" & синови"
const { client, rowsOf, stage } = sharedPortal()
beforeAll(async () => {
  await rowsOf("update organizations set name = $2 where organization_id = $1", [stage.otherOrganizationId, injected])
  await arrangeMonth(stage.desk.database, stage.otherOrganizationId, month)
})

const issuer = {
  name: "Овера <b>д.о.о.</b>", address: "Немањина 4", city: "Београд", taxIdentifier: "100000057", registrationNumber: "20000001",
  bankAccount: "160-0000000000001-49", paymentDays: "8"
}
const prices = { licence: "2190,50", advance: "0", email: "300,10", document: "2,5", vat: "20" }

const linesOf = (act: string) =>
  rowsOf<{ readonly actor: string; readonly reason: string; readonly organization_id: string }>("select actor, reason, organization_id from activity_log where act = $1 order by at", [act])

/** The text of a file downloaded by a click. */
const downloaded = async (page: Page, selector: string): Promise<string> => {
  const [download] = await Promise.all([page.waitForEvent("download"), page.click(selector)])
  assert.match(download.suggestedFilename(), /^invoice-20\d{2}-\d{6}\.pdf$/)
  const pdf = await readPdf(readFileSync(await download.path()))
  return pdf.pieces.map(({ text }) => text).join(" ")
}

/** Presses the tabulator key until the element has the focus. */
const tabTo = async (page: Page, selector: string): Promise<void> => {
  for (let pressed = 0; pressed < 80; pressed += 1) {
    await page.keyboard.press("Tab")
    if (await page.evaluate(`document.activeElement === document.querySelector(${JSON.stringify(selector)})`)) return
  }
  assert.fail(`the keyboard does not reach ${selector}`)
}

describe.runIf(browserPath !== null)("billing, in a real browser", () => {
  it("an operator names the issuer and sets prices, faults beside their fields, nothing typed lost", async () => {
    await asPerson(stage, stage.people.OPERATOR, async ({ page }) => {
      await page.goto(`${stage.portal.url}/operator/billing`)
      assert.include(await page.textContent("main"), "ништа се не фактурише")
      await assertGood(page)
      await page.goto(`${stage.portal.url}/operator/billing/issuer`)
      await fill(page, { ...issuer, taxIdentifier: "RS100" })
      await giveReason(page, "наша фирма")
      assert.include(await page.textContent("#field-taxIdentifier-fault"), "девет цифара")
      assert.deepStrictEqual([await page.inputValue("#field-name"), await page.inputValue("#field-taxIdentifier")], [issuer.name, "RS100"])
      await assertGood(page)
      await fill(page, issuer)
      await giveReason(page, "наша фирма")
      assert.include(await page.textContent("main"), issuer.name)
      await assertGood(page)
      await page.goto(`${stage.portal.url}/operator/billing/prices`)
      assert.strictEqual(await page.inputValue("#field-month"), next)
      await fill(page, { ...prices, licence: "2.190,50" })
      await giveReason(page, "ценовник")
      assert.include(await page.textContent("#field-licence-fault"), "без тачке за хиљаде")
      assert.strictEqual(await page.inputValue("#field-vat"), "20")
      await fill(page, { ...prices, month })
      await giveReason(page, "ценовник")
      assert.include(await page.textContent("[role=alert]"), "Изаберите наредни месец")
      assert.include(await page.textContent("[role=alert] [lang=en]"), "do not change")
      await assertGood(page)
      await fill(page, { month: next })
      await giveReason(page, "ценовник")
      assert.include(await page.textContent("main"), "2.190,50")
      await assertGood(page)
    })
    assert.deepInclude((await linesOf("price list added")).map(({ reason }) => reason), "ценовник")
    assert.deepInclude((await linesOf("issuer of invoices changed")).map(({ actor }) => actor), `operator:${stage.people.OPERATOR.email}`)
  }, 60_000)

  it("without JavaScript and by keyboard alone: closes a month, notes a payment and takes it back", async () => {
    await asPerson(stage, stage.people.OPERATOR, async ({ page }) => {
      await page.goto(`${stage.portal.url}/operator/billing/close`)
      await fill(page, { month })
      await giveReason(page, "радник је стајао")
      assert.include(await page.textContent("main"), "Фактуре за месец су издате")
      // The organization's data is shown as text.
      assert.include(await page.textContent("main"), injected)
      assert.strictEqual(await page.locator("main img").count(), 0)
      const text = await downloaded(page, "tbody a[href^='/operator/billing/invoices/']")
      for (const part of [injected, issuer.name, "Фактура 20", "2.748,12 RSD", "Модул за слање е-поштом"]) assert.include(text, part)
    }, { scripts: false })
    await asPerson(stage, stage.people.OPERATOR, async ({ page }) => {
      await page.goto(`${stage.portal.url}/operator/billing/close`)
      await assertGood(page)
      await page.goto(`${stage.portal.url}/operator/billing`)
      await assertGood(page)
      await tabTo(page, "a[href$='/paid']")
      await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")])
      await assertGood(page)
      await fill(page, { day: "2099-01-01" })
      await giveReason(page, "извод 31")
      assert.include(await page.textContent("#field-day-fault"), "најкасније данашњи")
      await assertGood(page)
      await fill(page, { day: `${month}-28` })
      await tabTo(page, "#field-reason")
      await page.keyboard.type(" од понедељка")
      await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")])
      assert.include(await page.textContent("main"), "Плаћено")
      await page.goto(`${stage.portal.url}/operator/billing?show=unpaid`)
      assert.include(await page.textContent("main"), "Нема таквих фактура")
      await assertGood(page)
      await page.goto(`${stage.portal.url}/operator/billing`)
      await click(page, "a[href$='/not-paid']")
      await giveReason(page, "погрешан налог")
      assert.include(await page.textContent("main"), "Чека уплату")
    }, { width: 360 })
    const paid = await linesOf("invoice paid")
    assert.strictEqual(paid[0]?.organization_id, stage.otherOrganizationId)
    assert.strictEqual((await linesOf("invoice found not paid"))[0]?.reason, "погрешан налог")
  }, 60_000)

  it.each([360, 1_280])("at %i px: an Owner sees licence, prices, months and invoices, and gets the invoice in the page's language", async (width) => {
    await asPerson(stage, stage.people.OTHER, async ({ page }) => {
      await page.goto(`${stage.portal.url}/subscription`)
      const text = (await page.textContent("main")) ?? ""
      for (const part of ["1.990,00", "2.190,50", "2.748,12", "Чека уплату", "/ 600"]) assert.include(text, part)
      await assertGood(page)
      assert.include(await downloaded(page, "a[href*='/subscription/invoices/']"), "Фактура")
      await tabTo(page, "a[href*='/subscription/invoices/']")
    }, { width })
  }, 60_000)
})

describe("billing, without a browser", () => {
  const numberOf = async (): Promise<string> => {
    const session = await stage.session(stage.people.OPERATOR)
    const form = { month, reason: "test" }
    await stage.run(Effect.flatMap(BillingTerms, (terms) =>
      Effect.flatMap(terms.issuer, (found) => found === null ? terms.changeIssuer({ actor: "test", reason: "test" }, { ...issuer, paymentDays: 8, email: null, note: null }, 0) : Effect.void)))
    await client.send("/operator/billing/close", session, form)
    const { text } = await client.get("/operator/billing", { session })
    return /invoices\/(20\d{2}-\d{6})"/.exec(text)?.[1] ?? assert.fail(text)
  }

  it("an invoice is its organization's: Owner and bookkeeper get it, nobody else does", async () => {
    const number = await numberOf()
    const path = `/subscription/invoices/${number}`
    const statusOf = async (who: keyof PortalStage["people"]) => (await client.get(path, { session: await stage.session(stage.people[who]) })).status
    assert.deepStrictEqual(await Promise.all((["OTHER", "OWNER", "ACCOUNTANT", "ADMINISTRATOR", "SUPPORT"] as const).map(statusOf)), [200, 404, 404, 403, 403])
    const answer = await client.get(path, { session: await stage.session(stage.people.OTHER) })
    assert.strictEqual(answer.headers["content-type"], "application/pdf")
    assert.match(String(answer.headers["cache-control"]), /no-store/)
    assert.strictEqual((await client.get("/subscription/invoices/2026-999999", { session: await stage.session(stage.people.OTHER) })).status, 404)
    for (const odd of ["2026-1", "..%2f..%2fetc", "%00", "2026-0000017", "'"]) {
      assert.include([404, 400], (await client.get(`/subscription/invoices/${odd}`, { session: await stage.session(stage.people.OTHER) })).status, odd)
    }
  })

  it("a bookkeeper reads the subscription and its invoices", async () => {
    const person = stage.people.ACCOUNTANT
    const session = await stage.session(person)
    const { status, text } = await client.get("/subscription", { session })
    assert.strictEqual(status, 200)
    assert.include(text, "1.990,00")
  })

  it("of two operators who decide on the same prices the second is told, and a form sent twice acts once", async () => {
    const session = await stage.session(stage.people.OPERATOR)
    const { text } = await client.get("/operator/billing/prices", { session })
    const seen = /name="seen" value="(\d+)"/.exec(text)?.[1] ?? ""
    const form = { ...prices, month: next, reason: "први", seen, form: randomUUID() }
    assert.strictEqual((await client.send("/operator/billing/prices", session, form)).location, "/operator/billing?done=prices-set")
    assert.strictEqual((await client.send("/operator/billing/prices", session, form)).location, "/operator?done=already")
    const second = await client.send("/operator/billing/prices", session, { ...form, reason: "други", form: randomUUID() })
    assert.strictEqual(second.status, 422)
    assert.include(second.text, "Somebody else has changed the prices")
    for (const odd of ["", "-1", "999999999", "x", "1e9"]) {
      assert.strictEqual((await client.send("/operator/billing/prices", session, { ...form, seen: odd, form: randomUUID() })).status, 422, odd)
    }
    assert.strictEqual((await linesOf("price list added")).filter(({ reason }) => reason === "први").length, 1)
    assert.deepStrictEqual((await linesOf("price list added")).filter(({ reason }) => reason === "други"), [])
  })

  it("an operator's session that looks at an organization gets invoices of every one, a member never an operator's page", async () => {
    const number = await numberOf()
    const session = await stage.session(stage.people.OPERATOR)
    await stage.run(Effect.flatMap(PortalSessions, (sessions) => sessions.lookAt(digestOf(session), OrganizationId.make(stage.shop.organizationId), "production")))
    assert.strictEqual((await client.get(`/operator/billing/invoices/${number}`, { session })).status, 200)
    assert.strictEqual((await client.get(`/operator/billing/invoices/${number}`, { session: await stage.session(stage.people.OTHER) })).status, 403)
  })
})
