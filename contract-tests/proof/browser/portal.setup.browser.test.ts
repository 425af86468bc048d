import { assert, describe, it } from "vitest"
import { browserPath } from "../../src/portal/browser.ts"
import { issueSale } from "../../src/portal/issueSale.ts"
import { asPerson, assertGood, click, withoutBrowserChecks } from "./readers.ts"
import { sampleLogo } from "./sampleLogo.ts"
import { sharedPortal } from "../../src/portal/sharedPortal.ts"
import { withRightDigit } from "../../src/support/rightDigits.ts"

const { activity, client, rowsOf, stage } = sharedPortal()

describe.runIf(browserPath !== null)("taxpayers and premises, in a real browser", () => {
  it.each([[360, true, withRightDigit("10000096")], [1_280, true, withRightDigit("10000097")], [1_280, false, withRightDigit("10000098")]] as const)("at %i px, scripts %s: added by keyboard alone; that identifiers never change is said before", async (width, scripts, taxId) => {
    await asPerson(stage, stage.people.OWNER, async ({ page }) => {
      const type = async (...texts: ReadonlyArray<string>) => {
        for (const [index, text] of texts.entries()) {
          if (index > 0) await page.keyboard.press("Tab")
          if (text !== "") await page.keyboard.type(text)
        }
      }
      await page.goto(`${stage.portal.url}/setup`)
      await click(page, "a[href$='/setup/taxpayers/new']")
      assert.include(await page.textContent("main form .notice"), "никада не мења")
      assert.include(await page.textContent("#field-taxId-hint"), "Не мења се")
      if (scripts) {
        await assertGood(page)
        await withoutBrowserChecks(page)
        await page.focus("#field-taxId")
        await type("12345", "Зора <b>", "Ул. 1", "Ниш", "", "77", "Веб")
        await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")])
        assert.include(await page.textContent("#field-taxId-fault"), "девет цифара")
        assert.strictEqual(await page.inputValue("#field-name"), "Зора <b>")
        assert.strictEqual(await page.inputValue("#field-premise"), "Веб")
        await assertGood(page)
        await page.fill("#field-taxId", "")
      } else {
        await page.fill("#field-name", "Зора <b>")
        await page.fill("#field-pu", "77")
        await page.fill("#field-premise", "Веб")
      }
      await page.focus("#field-taxId")
      await type(taxId)
      await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")])
      assert.include(await page.textContent("[role=status]"), "Обвезник је додат")
      const card = page.locator("section", { hasText: taxId })
      assert.include(await card.textContent(), "Зора <b>")
      if (scripts) await assertGood(page)
      await Promise.all([page.waitForNavigation(), card.locator("a", { hasText: "Додај пословни простор" }).click()])
      assert.include(await page.textContent("main form .notice"), "никада не мења")
      if (scripts) await assertGood(page)
      await page.focus("#field-pu")
      await type("77", "Други")
      await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")])
      assert.include(await page.textContent("#field-pu-fault"), "већ има пословни простор")
      assert.strictEqual(await page.inputValue("#field-premise"), "Други")
      await page.fill("#field-pu", "78")
      await click(page, "main form button")
      assert.include(await page.textContent("[role=status]"), "Пословни простор је додат")
    }, { width, scripts })
    const made = await rowsOf<{ readonly pu_identifier: string }>(
      "select pu_identifier from business_premises join taxpayers using (organization_id, taxpayer_id) where tax_identifier = $1 order by 1", [taxId])
    assert.deepStrictEqual(made.map((row) => row.pu_identifier), ["77", "78"])
    const lines = await activity()
    for (const act of ["taxpayer created", "business premise created"]) assert.isTrue(lines.some((line) => line.startsWith(`portal:${stage.people.OWNER.email} ${act}`)))
  }, 60_000)

  it("a tax id that is there already is refused in words; a double click adds one; nobody adds to another organization's taxpayer", async () => {
    const session = await stage.session(stage.people.OWNER)
    const fields = { taxId: withRightDigit("10000099"), name: "Двапут", vat: "IN_VAT", pu: "1", premise: "Веб" }
    const form = { proof: await client.proof(session), form: crypto.randomUUID(), ...fields }
    const answers = await Promise.all([1, 2, 3].map(() => client.ask("POST", "/setup/taxpayers/new", { session, form })))
    assert.deepStrictEqual(answers.map(({ location }) => location).toSorted(), ["/setup?done=already", "/setup?done=already", "/setup?done=taxpayer-added"])
    const again = await client.send("/setup/taxpayers/new", session, fields)
    assert.include(again.text, "већ постоји у овом окружењу")
    const foreign = await client.send(`/setup/taxpayers/${stage.shop.taxpayerId}/premises/new`, await stage.session(stage.people.OTHER), { pu: "9", premise: "Туђ" })
    assert.strictEqual(foreign.status, 404)
    for (const wrong of [{ vat: "MAYBE" }, { pu: "" }, { premise: "x".repeat(351) }, { name: "a\u0001b" }, { city: "x\ny" }]) {
      const answer = await client.send("/setup/taxpayers/new", session, { ...fields, taxId: withRightDigit("10000095"), ...wrong })
      assert.strictEqual(answer.status, 422, JSON.stringify(wrong))
    }
    assert.lengthOf(await rowsOf("select 1 from taxpayers where tax_identifier = '100000987'"), 0)
  }, 60_000)
})

describe.runIf(browserPath !== null)("setup, in a real browser", () => {
  it.each([360, 1_280])("at %i px: the way to the first real receipt knows where one stands", async (width) => {
    await issueSale(stage)
    await asPerson(stage, stage.people.ACCOUNTANT, async ({ page }) => {
      await page.goto(`${stage.portal.url}/setup`)
      await click(page, "a[href$='/setup/going-live']")
      assert.include(await page.textContent(".steps li:first-child"), "Урађено")
      const current = await page.textContent("[aria-current=step]")
      assert.include(current, "Сада")
      assert.include(current, "Обвезник")
      await assertGood(page)
    }, { width })
  }, 60_000)

  it.each([360, 1_280])("at %i px: an element's certificate is shown before anything is stored; then it waits for the operator", async (width) => {
    const place = { businessName: "Књижара Зора", tin: "100000049", locationName: "Веб", address: "Његошева 12", city: "Београд" }
    const element = await stage.desk.simulator.issueElement({ environment: "sandbox", ...place })
    const production = await stage.desk.simulator.issueElement({ environment: "production", ...place })
    const stored = async () => (await rowsOf("select 1 from security_elements where jid = $1", [element.jid])).length
    await asPerson(stage, stage.people.ADMINISTRATOR, async ({ page }) => {
      await page.goto(`${stage.portal.url}/setup`)
      await assertGood(page)
      await click(page, "text=Учитај елемент")
      await assertGood(page)
      const send = async (file: { readonly name: string; readonly buffer: Buffer }, password: string, pac: string) => {
        await page.setInputFiles("#field-file", { mimeType: "application/x-pkcs12", ...file })
        await page.fill("#field-password", password)
        await page.fill("#field-pac", pac)
        await click(page, "main form button")
      }
      const pfx = (bytes: Uint8Array) => ({ name: "element.pfx", buffer: Buffer.from(bytes) })
      await send(pfx(element.pfx), "wrong", element.pac)
      assert.include(await page.textContent("#field-password-fault"), "не отвара")
      await assertGood(page)
      await send({ name: "element.pfx", buffer: Buffer.from("no pfx at all") }, element.password, element.pac)
      assert.include(await page.textContent("#field-file-fault"), "није датотека")
      await send(pfx(production.pfx), production.password, production.pac)
      assert.include(await page.textContent("#field-file-fault"), "другог окружења")
      await send(pfx(element.pfx), element.password, element.pac)
      const said = (await page.textContent("main")) ?? ""
      for (const part of ["Још ништа није сачувано", element.jid, "Књижара Зора · 100000049", "Води до корена Пореске управе", "Садашњи елемент ради"]) assert.include(said, part)
      assert.strictEqual(await stored(), 0)
      for (const secret of [element.password, element.pac]) assert.notInclude(await page.content(), secret)
      await assertGood(page)
      await page.focus("main form button")
      await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")])
      assert.include(await page.textContent("[role=status]"), "Елемент је учитан")
      assert.include(await page.textContent("main"), "Чека активирање")
    }, { width })
    assert.strictEqual(await stored(), 1)
    assert.isTrue((await activity()).some((line) => line.startsWith(`portal:${stage.people.ADMINISTRATOR.email} security element uploaded`)))
    // Neither password nor PAC nor key is anywhere in the log or the activity.
    const [said] = await rowsOf<{ readonly text: string }>("select coalesce(string_agg(before || after || reason, ' '), '') as text from activity_log")
    for (const secret of [element.password, element.pac]) assert.notInclude(stage.log.join("\n") + String(said?.text), secret)
  }, 60_000)

  it("what a certificate's page holds is stored once, for its own premise and session alone", async () => {
    const place = { businessName: "Књижара Зора", tin: "100000049", locationName: "Веб", address: "Његошева 12", city: "Београд" }
    const element = await stage.desk.simulator.issueElement({ environment: "sandbox", ...place })
    const session = await stage.session(stage.people.OWNER)
    const path = `/setup/element/${stage.shop.businessPremiseId}`
    const form = new FormData()
    form.set("proof", await client.proof(session))
    form.set("file", new Blob([Buffer.from(element.pfx)]), "element.pfx")
    form.set("password", element.password)
    form.set("pac", element.pac)
    const looked = await fetch(`${stage.portal.url}/o/${stage.shop.organizationId}/sandbox${path}`, { method: "POST", body: form, headers: { cookie: `overa-session=${session}`, origin: stage.portal.url } })
    const sealed = /name="element" value="([\w-]+)"/.exec(await looked.text())?.[1] ?? ""
    assert.isNotEmpty(sealed)
    const another = await stage.session(stage.people.OWNER)
    const [other] = await rowsOf<{ readonly premise_id: string }>("select premise_id from business_premises where organization_id = $1 and premise_id <> $2", [stage.shop.organizationId, stage.shop.businessPremiseId])
    const tried = [
      await client.send(`${path}/store`, another, { element: sealed }),
      await client.send(`${path}/store`, session, { element: `${sealed.slice(0, -6)}AAAAAA` }),
      await client.send(`${path}/store`, session, {}),
      ...(other === undefined ? [] : [await client.send(`/setup/element/${other.premise_id}/store`, session, { element: sealed })])
    ]
    for (const { status, text } of tried) assert.isTrue(status === 422 && text.includes("више не важи"), `${status}`)
    const twice = { proof: await client.proof(session), form: crypto.randomUUID(), element: sealed }
    const answers = await Promise.all([1, 2].map(() => client.ask("POST", `${path}/store`, { session, form: twice })))
    assert.deepStrictEqual(answers.map(({ location }) => location).toSorted(), ["/setup?done=already", "/setup?done=element-uploaded"])
    assert.strictEqual((await rowsOf("select 1 from security_elements where jid = $1", [element.jid])).length, 1)
    const again = await client.send(`${path}/store`, session, { element: sealed })
    assert.include(again.text, "већ учитан")
  }, 60_000)

  it("the look of receipts is seen on paper before it is saved; a hostile logo is refused; two people do not overwrite each other", async () => {
    await issueSale(stage)
    const path = `/setup/branding/${stage.shop.taxpayerId}`
    await asPerson(stage, stage.people.OWNER, async ({ page }) => {
      await page.goto(stage.portal.url + path)
      await assertGood(page)
      const before = await page.getAttribute(".paper img", "src")
      await page.fill("#field-lines", "Књижара Зора\n011 123 456")
      await page.setInputFiles("#field-logo", { name: "logo.svg", mimeType: "image/svg+xml", buffer: Buffer.from("<svg viewBox='0 0 1 1'><script>alert(1)</script></svg>") })
      await click(page, "text=Погледај на папиру")
      assert.include(await page.textContent("#field-logo-fault"), "Лого не може")
      assert.strictEqual(await page.inputValue("#field-lines"), "Књижара Зора\n011 123 456")
      await page.setInputFiles("#field-logo", { name: "logo.svg", mimeType: "image/svg+xml", buffer: Buffer.from(sampleLogo) })
      await click(page, "text=Погледај на папиру")
      assert.include(await page.textContent("main"), "још није сачувано")
      assert.notStrictEqual(await page.getAttribute(".paper img", "src"), before)
      await assertGood(page)
      await asPerson(stage, stage.people.ADMINISTRATOR, async (other) => {
        await other.page.goto(stage.portal.url + path)
        await other.page.fill("#field-note", "Хвала!")
        await click(other.page, "text='Сачувај'")
        assert.include(await other.page.textContent("[role=status]"), "Важи за рачуне издате од сада")
      })
      await click(page, "text='Сачувај'")
      assert.include(await page.textContent("main"), "Неко је у међувремену")
      assert.strictEqual(await page.inputValue("#field-lines"), "Књижара Зора\n011 123 456")
    })
    assert.strictEqual((await activity()).filter((line) => line.includes("branding changed")).length, 1)
  }, 60_000)
})
