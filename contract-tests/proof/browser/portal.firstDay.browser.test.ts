import type { Page } from "playwright-core"
import { assert, describe, it, vi } from "vitest"
import { browserPath } from "../../src/portal/browser.ts"
import { fillAndSend } from "../../src/portal/filledForm.ts"
import { issueSale } from "../../src/portal/issueSale.ts"
import { whileNobodyKnows } from "../../src/portal/loseAnswers.ts"
import { mailedToken } from "../../src/portal/mailedLinks.ts"
import { sharedPortal } from "../../src/portal/sharedPortal.ts"
import { withRightDigit } from "../../src/support/rightDigits.ts"
import { enterTo, tabTo, typeInto } from "./keyboard.ts"
import { asPerson, assertGood, click, fill, giveReason, pathIn, withoutBrowserChecks } from "./readers.ts"

const { client, rowsOf, stage } = sharedPortal()

const taxId = withRightDigit("10000611")
const email = "mira@primer.example"
const password = "cetiri zelena kofera"
const shop = {
  organization: "Чајџиница Мира", email, environment: "sandbox", taxId, name: "Мира д.о.о.", address: "Ул. 1", city: "Ниш", pu: "1000001", premise: "Веб", premiseAddress: "", premiseCity: "Ниш"
}
const sale = { "name-0": "Чај", "unit-0": "ком", "quantity-0": "2", "price-0": "640,00", "labels-0": "A", cashier: "Мира" }

/** The row of a table on the page that says all of this. */
const rowWith = (page: Page, ...texts: ReadonlyArray<string>) => texts.reduce((rows, hasText) => rows.filter({ hasText }), page.locator("tbody tr"))
const tileOf = async (page: Page, name: string): Promise<string> => (await page.locator(".tile", { hasText: name }).innerText()).replaceAll(/\s+/g, " ")
const stepsDone = async (page: Page): Promise<string> => /Урађено корака: (\d+ \/ \d+)/.exec(await page.innerText("main"))?.[1] ?? ""
const organizationsCalled = (name: string) => rowsOf<{ readonly id: string }>("select organization_id::text as id from organizations where name = $1", [name])

describe.runIf(browserPath !== null)("a new shop's first day, in a real browser", () => {
  it("the operator onboards it by keyboard alone, uploads its element and activates it from the morning page", () =>
    asPerson(stage, stage.people.OPERATOR, async ({ page }) => {
      await page.goto(`${stage.portal.url}/operator/organizations`)
      await tabTo(page, "Нова радња")
      await enterTo(page, /\/onboard\/[0-9a-f-]{36}$/)
      await assertGood(page)
      await typeInto(page, shop)
      await typeInto(page, { reason: "уговор 17" })
      await enterTo(page, /done=shop-opened/)
      assert.include(await page.innerText("[role=status]"), "Радња је отворена")
      for (const [step, state] of [["Позив власнику", "Чека"], ["Обвезник", "Урађено"], ["Пословни простор", "Урађено"], ["Безбедносни елемент", "Недостаје"]] as const) {
        assert.include(await rowWith(page, step).first().innerText(), state, step)
      }
      await assertGood(page)
      const element = await stage.desk.simulator.issueElement({ environment: "sandbox", businessName: shop.name, tin: taxId, locationName: "Веб", address: "Ул. 1", city: "Ниш" })
      await page.setInputFiles("#field-file", { name: "element.pfx", mimeType: "application/x-pkcs12", buffer: Buffer.from(element.pfx) })
      await fill(page, { password: element.password, pac: element.pac })
      await giveReason(page, "стигла датотека")
      assert.include(await rowWith(page, "Безбедносни елемент").innerText(), "чека активирање")
      await page.goto(`${stage.portal.url}/operator`)
      assert.include(await tileOf(page, "Елементи за активирање"), "1 ")
      const waiting = rowWith(page, shop.organization, element.jid)
      await Promise.all([page.waitForNavigation(), waiting.locator("a", { hasText: "Активирајте" }).click()])
      await assertGood(page)
      await giveReason(page, "проверен")
      await page.goto(`${stage.portal.url}/operator`)
      assert.match(await tileOf(page, "Елементи за активирање"), /^0 /)
      assert.include(await page.innerText("#vpfr"), element.jid)
    }), 180_000)

  it("the invited owner opens the mail's link, sets a password, signs in with it, sees what is missing first, and issues the first test receipt", async () => {
    const link = `${stage.portal.url}/invitation#${await mailedToken(stage, email)}`
    await asPerson(stage, null, async ({ page }) => {
      await page.goto(link)
      await page.waitForSelector("#field-name")
      assert.include(await page.innerText("main"), shop.organization)
      await assertGood(page)
      await fill(page, { name: "Мира Илић", next: password })
      await click(page, "main button")
      assert.strictEqual(pathIn(page), "/")
      await Promise.all([page.waitForURL(/\/sign-in/), page.click("form[action$='/sign-out'] button")])
      await fill(page, { email, password })
      await click(page, "main form button")
      assert.strictEqual(pathIn(page), "/")
      assert.include(await page.locator(".environment").first().innerText(), "Тест")
      // Taxpayer and element are there; the operator has done them.
      assert.strictEqual(await stepsDone(page), "2 / 10")
      assert.include(await page.innerText("[aria-current=step]"), "Тестни акредитив")
      await assertGood(page)
      await page.goto(`${page.url().replace(/\/$/, "")}/issue`)
      await fill(page, sale)
      await page.locator("#preview pre").waitFor()
      await Promise.all([page.waitForURL(/\/receipts\/[0-9a-f-]{36}/), page.click("#preview button")])
      assert.include(await page.innerText("main"), "Фискализован")
      assert.include(await page.innerText("main"), "1.280,00")
      await assertGood(page)
      await page.goto(stage.portal.url)
      assert.strictEqual(await stepsDone(page), "4 / 10")
      assert.include(await page.innerText("[aria-current=step]"), "продукцији")
    })
    await asPerson(stage, stage.people.OPERATOR, async ({ page }) => {
      const [found] = await organizationsCalled(shop.organization)
      await page.goto(`${stage.portal.url}/operator/organizations/onboard/${found?.id}`)
      await giveReason(page, "докле је радња стигла")
      assert.match(await rowWith(page, "Позив власнику").innerText(), /Урађено[^]*mira@primer\.example/)
    })
  }, 180_000)

  it("its form tells every fault in English on a telephone, and two clicks within 15 ms open one shop", () =>
    asPerson(stage, stage.people.OPERATOR, async ({ context, page }) => {
      await page.goto(`${stage.portal.url}/operator/organizations/onboard`)
      const organization = "Two clicks"
      await withoutBrowserChecks(page)
      await fill(page, { organization, email: "clicks@primer.example", environment: "production", taxId: "12345", premise: "Web" })
      await click(page, "main form[enctype] > button")
      assert.include(await page.innerText("[role=alert]"), "A tax id has exactly nine digits.")
      for (const name of ["environment", "taxId", "name", "pu", "reason"]) assert.isTrue(await page.locator(`#field-${name}-fault`).isVisible(), name)
      assert.strictEqual(await page.inputValue("#field-organization"), organization)
      await assertGood(page)
      await fill(page, { environment: "sandbox", taxId: withRightDigit("10000612"), name: "Two clicks", pu: "1", reason: "contract 18" })
      const button = page.locator("main form[enctype] > button")
      await button.scrollIntoViewIfNeeded()
      const { height = 0, width = 0, x = 0, y = 0 } = await button.boundingBox() ?? {}
      const sent: Array<string> = []
      context.on("request", (request) => request.method() === "POST" && sent.push(request.url()))
      const press = () => page.mouse.click(x + width / 2, y + height / 2)
      await press()
      await new Promise((resolve) => setTimeout(resolve, 15))
      await press()
      // The second click ends the first one's navigation.
      await vi.waitUntil(() => page.url().includes("done="), { timeout: 20_000 })
      await page.waitForLoadState()
      assert.include(await page.innerText("main"), organization)
      assert.lengthOf(sent, 2)
      assert.lengthOf(await organizationsCalled(organization), 1)
      await assertGood(page)
    }, { width: 360, locale: "en-GB" }), 120_000)
})

describe.runIf(browserPath !== null)("an operator's morning, in a real browser", () => {
  it("begins with what waits: the V-PFR's health, the queue, an element that ends, an unknown outcome, which is decided with the receipt that was found", async () => {
    const { businessPremiseId, taxpayerId } = stage.shop
    const owner = await stage.session(stage.people.OWNER)
    await fillAndSend(client, owner, `/setup/mail/${taxpayerId}`, { enabled: "yes" })
    const mailed = await issueSale(stage)
    await fillAndSend(client, owner, `/receipts/${mailed.id}/send`, { recipient: "kupac@primer.example" })
    await rowsOf("update security_elements set valid_to = now() + interval '10 days 1 hour' where premise_id = $1 and status = 'ACTIVE'", [businessPremiseId])
    const [element] = await rowsOf<{ readonly jid: string }>("select jid from security_elements where premise_id = $1 and status = 'ACTIVE'", [businessPremiseId])
    const unknown = await whileNobodyKnows(stage, () => issueSale(stage, { reference: "lost" }))
    const [{ requestId } = { requestId: "" }] = await rowsOf<{ readonly requestId: string }>('select request_id as "requestId" from operations where operation_id = $1', [unknown.id])
    const { simulator } = stage.desk
    const [signed] = simulator.receipts(requestId)
    const { answer } = await (await fetch(`${simulator.controlUrl}/receipts/${signed?.invoiceNumber}`)).json() as { readonly answer: string }
    const receipt = JSON.parse(answer) as { readonly verificationUrl: string; readonly journal: string }
    await asPerson(stage, stage.people.OPERATOR, async ({ page }) => {
      await page.goto(`${stage.portal.url}/operator`)
      for (const [tile, start] of [["Непознати исходи", "1 "], ["Елементи без одговора В-ПФР-а", "1 "], ["Елементи који истичу", "1 "], ["Е-пошта која чека", "1 "]] as const) assert.isTrue((await tileOf(page, tile)).startsWith(start), tile)
      assert.include(await page.locator("#vpfr tbody tr", { hasText: element?.jid ?? "" }).innerText(), "не одговара")
      const ending = rowWith(page, element?.jid ?? "", "Затражите нови")
      assert.match(await ending.innerText(), /\b10\b/)
      await assertGood(page)
      await Promise.all([page.waitForNavigation(), rowWith(page, "3.751,50 RSD").locator(`a[href$="${unknown.id}"]`).click()])
      await giveReason(page, "тикет 91")
      await click(page, "text=Рачун је издат")
      await fill(page, { url: receipt.verificationUrl, journal: receipt.journal })
      await assertGood(page)
      await giveReason(page, "нађен код В-ПФР-а")
      await page.goto(`${stage.portal.url}/operator`)
      assert.isTrue((await tileOf(page, "Непознати исходи")).startsWith("0 "))
      assert.include(await page.innerText("main"), "Сваки исход је познат.")
      await issueSale(stage)
      await page.reload()
      assert.notInclude(await page.locator("#vpfr tbody tr", { hasText: element?.jid ?? "" }).innerText(), "не одговара")
      await assertGood(page)
    })
    assert.include((await client.get(`/receipts/${unknown.id}`, { session: owner })).text, "Фискализован")
  }, 180_000)
})
