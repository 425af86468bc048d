import { assert, describe, it } from "vitest"
import { browserPath } from "../../src/portal/browser.ts"
import { whileNobodyKnows } from "../../src/portal/loseAnswers.ts"
import { issueSale } from "../../src/portal/issueSale.ts"
import { asPerson, assertGood, click, fill, giveReason, withoutBrowserChecks } from "./readers.ts"
import { sharedPortal } from "../../src/portal/sharedPortal.ts"

const { client, rowsOf, stage } = sharedPortal()

const logOf = () =>
  rowsOf<{ readonly actor: string; readonly act: string; readonly reason: string; readonly organization_id: string }>("select actor, act, reason, organization_id from activity_log order by at")

describe.runIf(browserPath !== null)("an operator, in a real browser", () => {
  it.each([360, 1_280])("at %i px: a new organization from nothing to an active element, each act with its reason", async (width) => {
    const tin = width === 360 ? "100000057" : "100000073"
    const element = await stage.desk.simulator.issueElement({ environment: "production", businessName: "Нова", tin, locationName: "Веб", address: "Ул. 1", city: "Ниш" })
    await asPerson(stage, stage.people.OPERATOR, async ({ page }) => {
      await page.goto(`${stage.portal.url}/operator`)
      await assertGood(page)
      await page.goto(`${stage.portal.url}/operator/environments/production`)
      await fill(page, { esir: "999/0.1", vat: "О-ПДВ\nП-ПДВ\nБез ПДВ", traffic: "on" })
      await giveReason(page, "додељен број")
      await page.goto(`${stage.portal.url}/operator/organizations/add`)
      await withoutBrowserChecks(page)
      await page.fill("#field-name", `Нова ${width}`)
      await click(page, "main form button")
      assert.include(await page.textContent("#field-reason-fault"), "Напишите разлог")
      assert.strictEqual(await page.inputValue("#field-name"), `Нова ${width}`)
      await assertGood(page)
      await giveReason(page, "уговор 17")
      // Its data can be read only with a reason.
      assert.include(await page.textContent("main"), "само са разлогом")
      await giveReason(page, "увођење")
      const home = page.url()
      await assertGood(page)
      await click(page, "text=Додај обвезника")
      await fill(page, { environment: "production", taxId: tin, name: "Нова д.о.о.", pu: `9${width}`, premise: "Веб" })
      await assertGood(page)
      await giveReason(page, "уговор 17")
      await click(page, "text=Учитај елемент")
      await page.setInputFiles("#field-file", { name: "e.pfx", mimeType: "application/x-pkcs12", buffer: Buffer.from(element.pfx) })
      await fill(page, { password: element.password, pac: element.pac })
      await giveReason(page, "послао власник")
      assert.include(await page.textContent("main"), element.jid)
      await page.goto(home)
      await click(page, "text='Додели'")
      await page.check("#field-module-advance")
      await giveReason(page, "поруџбина 3")
      assert.include(await page.textContent("main"), "Модул за авансе")
      await page.goto(`${stage.portal.url}/operator`)
      assert.include(await page.locator("tbody tr", { hasText: element.jid }).textContent(), "Активирајте")
      await assertGood(page)
      await page.goto(home)
      await click(page, "text=Активирај")
      await giveReason(page, "иде у продукцију")
      assert.include(await page.textContent("main"), "активан")
      await assertGood(page)
      await click(page, "text=Издај акредитив")
      await fill(page, { environment: "production" })
      await assertGood(page)
      await giveReason(page, "тражио власник")
      const secret = (await page.locator(".secret").nth(1).textContent()) ?? ""
      assert.match(secret, /^[\w-]{43}$/)
      await page.goto(home)
      assert.notInclude(await page.content(), secret)
    }, { width })
    const lines = (await logOf()).filter((line) => line.actor === `operator:${stage.people.OPERATOR.email}`)
    for (const act of ["organization created", "data opened by an operator", "taxpayer created", "security element uploaded", "licence granted", "security element activated", "credential issued"]) {
      assert.isTrue(lines.some((line) => line.act === act && line.reason !== ""), `${act} in ${JSON.stringify(lines.map((line) => line.act))}`)
    }
  }, 120_000)

  it("every page and form of the area is accessible and fits a telephone", async () => {
    const database = await stage.desk.database.client()
    const { rows } = await database.query("select t.taxpayer_id, p.premise_id from taxpayers t join business_premises p using (organization_id, taxpayer_id) where t.organization_id = $1", [stage.shop.organizationId])
    const base = `/operator/organizations/${stage.shop.organizationId}`
    const place = rows[0] as { readonly taxpayer_id: string; readonly premise_id: string }
    await asPerson(stage, stage.people.OPERATOR, async ({ page }) => {
      await page.goto(stage.portal.url + base)
      await giveReason(page, "тикет 88")
      const paths = [
        "/operator/organizations", "/operator/unknown", "/operator/attention", "/operator/elements", "/operator/installation", "/operator/activity",
        `/operator/activity?organization=${stage.shop.organizationId}`, "/operator/environments/sandbox", "/operator/installation/roots/add",
        "/operator/installation/signers/add", "/operator/installation/token-keys/add", "/operator/installation/reseal", "/operator/installation/pool",
        "/operator/people/add", "/operator/people/password", "/operator/people/second-factor", base, `${base}/licence`, `${base}/licence/suspend`,
        `${base}/members/invite`, `${base}/taxpayers/add`, `${base}/taxpayers/${place.taxpayer_id}`, `${base}/taxpayers/${place.taxpayer_id}/delivery`,
        `${base}/taxpayers/${place.taxpayer_id}/premises/add`, `${base}/premises/${place.premise_id}`, `${base}/premises/${place.premise_id}/element`
      ]
      for (const path of paths) {
        const answer = await page.goto(stage.portal.url + path)
        assert.strictEqual(answer?.status(), 200, path)
        await assertGood(page)
      }
    }, { width: 360 })
  }, 120_000)

  it("an unknown outcome is decided on its evidence, with the guards of the service", async () => {
    const unknown = await whileNobodyKnows(stage, () => issueSale(stage, { reference: "lost" }))
    assert.strictEqual(unknown.status, "OUTCOME_UNKNOWN")
    const other = await issueSale(stage, { reference: "another" })
    const found = await client.get(`/receipts/${other.id}/paper/official-text`, { session: await stage.session(stage.people.OWNER) })
    await asPerson(stage, stage.people.OPERATOR, async ({ page }) => {
      await page.goto(`${stage.portal.url}/operator`)
      const row = await page.locator("tbody tr", { has: page.locator(`a[href="/operator/unknown/${unknown.id}"]`) }).textContent()
      for (const text of ["Књижара Зора", "3.751,50 RSD", "0 мин"]) assert.include(row, text)
      await assertGood(page)
      await page.goto(`${stage.portal.url}/operator/unknown`)
      await click(page, `text=${unknown.id}`)
      await giveReason(page, "тикет 89")
      assert.include(await page.textContent("main"), "NO_ANSWER")
      await assertGood(page)
      assert.strictEqual(await page.locator("a", { hasText: "Рачун није издат" }).count(), 0, "it is not offered before it is allowed")
      assert.include(await page.textContent("main"), "се нуди кад прође рок последњег покушаја")
      await page.goto(`${stage.portal.url}/operator/unknown/${unknown.id}/not-issued`)
      await giveReason(page, "писмо Пореске управе")
      assert.include(await page.textContent("[role=alert]"), "too early")
      await page.goto(`${stage.portal.url}/operator/unknown/${unknown.id}/issued`)
      await fill(page, { url: "https://suf.purs.gov.rs/v/?vl=AAAA", journal: found.text })
      await giveReason(page, "нађен у порталу")
      assert.include(await page.textContent("[role=alert]"), "Ово није рачун те радње")
      assert.strictEqual(await page.inputValue("#field-url"), "https://suf.purs.gov.rs/v/?vl=AAAA")
    })
    const database = await stage.desk.database.client()
    const { rows } = await database.query("select status from operations where operation_id = $1", [unknown.id])
    assert.strictEqual(rows[0].status, "OUTCOME_UNKNOWN")
  }, 60_000)
})

describe("an operator's act", () => {
  it("does not undo what another operator has stored since the form was opened, unless the second operator has seen it", async () => {
    const { businessPremiseId, organizationId } = stage.shop
    const path = `/operator/organizations/${organizationId}/premises/${businessPremiseId}`
    const database = await stage.desk.database.client()
    const stored = async () => (await database.query("select status, payment_mode from business_premises where premise_id = $1", [businessPremiseId])).rows[0]
    const open = async () => {
      const session = await stage.session(stage.people.OPERATOR)
      await client.send(`/operator/organizations/${stage.shop.organizationId}/open`, session, { reason: "тикет 90", back: "/operator" })
      return { session, state: /name="state" value="([^"]+)"/.exec((await client.get(path, { session })).text)?.[1] ?? assert.fail("no state") }
    }
    const [one, other] = [await open(), await open()]
    const suspended = await client.send(path, one.session, { state: one.state, status: "suspended", payments: "all", commerce: "distance", reason: "inspekcija" })
    assert.strictEqual(suspended.status, 303)
    const change = { status: "active", payments: "restricted", commerce: "distance", reason: "zahtev" }
    const stale = await client.send(path, other.session, { ...change, state: other.state })
    assert.strictEqual(stale.status, 422)
    assert.include(stale.text, "у међувремену изменио")
    assert.include(stale.text, "Сада је сачувано: Стање: suspended")
    assert.include(stale.text, "value=\"zahtev\"")
    assert.deepStrictEqual(await stored(), { status: "suspended", payment_mode: "all" })
    const seen = /name="state" value="([^"]+)"/.exec(stale.text)?.[1] ?? ""
    assert.strictEqual((await client.send(path, other.session, { ...change, state: seen })).status, 303)
    assert.deepStrictEqual(await stored(), { status: "active", payment_mode: "restricted" })
    await client.send(path, one.session, { ...change, payments: "all" })
  })

  it("is done once, however often its form is sent", async () => {
    const session = await stage.session(stage.people.OPERATOR)
    const path = `/operator/organizations/${stage.shop.organizationId}/credentials/issue`
    const form = { proof: await client.proof(session), form: crypto.randomUUID(), reason: "twice", environment: "sandbox", scope: "fiscal:read" }
    const answers = await Promise.all([1, 2, 3].map(() => client.ask("POST", path, { session, form })))
    assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [200, 303, 303])
    assert.strictEqual((await logOf()).filter((line) => line.act === "credential issued" && line.reason === "twice").length, 1)
  })

  it("shows nothing of an organization before the reason is in its log", async () => {
    const session = await stage.session(stage.people.OPERATOR)
    const base = `/operator/organizations/${stage.otherOrganizationId}`
    const before = await client.get(base, { session })
    assert.notInclude(before.text, stage.people.OTHER.email)
    assert.strictEqual((await client.send(`${base}/open`, session, { reason: "", back: base })).status, 422)
    assert.notInclude((await client.get(base, { session })).text, stage.people.OTHER.email)
    await client.send(`${base}/open`, session, { reason: "позив власника", back: base })
    assert.include((await client.get(base, { session })).text, stage.people.OTHER.email)
    const lines = (await logOf()).filter((line) => line.organization_id === stage.otherOrganizationId && line.act === "data opened by an operator")
    assert.deepStrictEqual(lines.map(({ reason }) => reason), ["позив власника"])
  })

  it.runIf(browserPath !== null)("a restore is declared and ended with its reasons; while it stands nothing is issued", async () => {
    await asPerson(stage, stage.people.OPERATOR, async ({ page }) => {
      await page.goto(`${stage.portal.url}/operator/installation`)
      await click(page, "a[href='/operator/restore/begin']")
      await page.fill("#field-since", "јуче")
      await giveReason(page, "диск")
      assert.include(await page.textContent("#field-since-fault"), "са зоном")
      await assertGood(page)
      await page.fill("#field-since", "2026-01-01T00:00:00Z")
      await giveReason(page, "диск је изгубљен")
      assert.include(await page.textContent("main"), "Ништа се не издаје")
      await assertGood(page)
      await click(page, "a[href='/operator/restore/end']")
      await giveReason(page, "готово")
      assert.include(await page.textContent("#field-confirm-fault"), "Прво преузмите")
      await assertGood(page)
      await page.selectOption("#field-confirm", "yes")
      await giveReason(page, "све је преузето")
      assert.include(await page.textContent("main"), "Није објављено")
    }, { width: 360 })
    const lines = (await logOf()).filter(({ reason }) => ["диск је изгубљен", "све је преузето"].includes(reason))
    assert.lengthOf(lines, 2)
    assert.isTrue(lines.every(({ actor }) => actor === `operator:${stage.people.OPERATOR.email}`))
  }, 60_000)
})
