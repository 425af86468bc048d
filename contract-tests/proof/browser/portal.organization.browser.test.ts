import { readFileSync } from "node:fs"
import { DateTime } from "effect"
import { moment } from "../../../hosts/portal/src/language/formats.ts"
import { assert, describe, it, vi } from "vitest"
import { browserPath } from "../../src/portal/browser.ts"
import { mailedToken } from "../../src/portal/mailedLinks.ts"
import { asPerson, assertGood, click, withoutBrowserChecks } from "./readers.ts"
import { sharedPortal } from "../../src/portal/sharedPortal.ts"

const { activity, client, stage } = sharedPortal()

describe.runIf(browserPath !== null)("members, in a real browser", () => {
  it.each([360, 1_280])("at %i px: invited, accepted, given another role, removed; each act in the log", async (width) => {
    const email = `novi-${width}@primer.example`
    let link = ""
    await asPerson(stage, stage.people.OWNER, async ({ page }) => {
      await page.goto(`${stage.portal.url}/members`)
      await assertGood(page)
      await page.fill("#field-email", "nije adresa@")
      await withoutBrowserChecks(page)
      await click(page, "text='Позови'")
      assert.include(await page.textContent("#field-email-fault"), "исправну адресу")
      await assertGood(page)
      await page.fill("#field-email", email)
      await page.selectOption("#field-role", "SUPPORT")
      await click(page, "text='Позови'")
      assert.include(await page.textContent("[role=status], .notice"), email)
      link = `${stage.portal.url}/invitation#${await mailedToken(stage, email)}`
      await assertGood(page)
    }, { width })
    await asPerson(stage, null, async ({ page }) => {
      await page.goto(link)
      await page.waitForSelector("#field-name")
      assert.notInclude(page.url(), "#")
      assert.include(await page.textContent("main"), "Књижара Зора")
      await assertGood(page)
      await page.fill("#field-name", "Нови Члан")
      await page.fill("#field-next", "kratka")
      await click(page, "main button")
      assert.include(await page.textContent("#field-next-fault"), "бар 12")
      assert.strictEqual(await page.inputValue("#field-name"), "Нови Члан")
      await page.fill("#field-next", "cetiri zelena kofera")
      await click(page, "main button")
      assert.include(await page.textContent("header"), "Нови Члан")
      await page.goto(link)
      await page.waitForSelector("text='Позив не важи'")
      await asPerson(stage, stage.people.OWNER, async (owner) => {
        await owner.page.goto(`${stage.portal.url}/members`)
        const row = owner.page.locator("tr", { hasText: email })
        await row.locator("details:not(.destructive) > summary").click()
        await row.locator("select").selectOption("ACCOUNTANT")
        await Promise.all([owner.page.waitForNavigation(), row.locator("button", { hasText: "Сачувај" }).click()])
        await page.goto(`${stage.portal.url}/setup`)
        assert.strictEqual(await page.textContent("h1"), "Подешавања")
        await owner.page.locator("tr", { hasText: email }).locator(".destructive > summary").click()
        await assertGood(owner.page)
        await Promise.all([owner.page.waitForNavigation(), owner.page.locator("tr", { hasText: email }).locator("button.danger").click()])
      })
      await page.goto(`${stage.portal.url}/setup`)
      assert.notInclude(await page.textContent("body"), "Књижара Зора")
    }, { width })
    const lines = await activity()
    for (const line of [
      `portal:${stage.people.OWNER.email} member invited ${email}`,
      `portal:${email} role given ${email}`,
      `portal:${stage.people.OWNER.email} role changed ${email}`,
      `portal:${stage.people.OWNER.email} role taken ${email}`
    ]) assert.include(lines, line)
  }, 90_000)

  it("the last Owner stays, also when two Owners remove each other at once", async () => {
    const session = await stage.session(stage.people.OWNER)
    const alone = await client.send("/members/remove", session, { person: stage.people.OWNER.email })
    assert.strictEqual(alone.status, 422)
    assert.include(alone.text, "бар једног власника")
    await client.send("/members/role", session, { person: stage.people.ADMINISTRATOR.email, role: "OWNER" })
    const other = await stage.session(stage.people.ADMINISTRATOR)
    const proofs = [await client.proof(session), await client.proof(other)]
    await Promise.all([
      client.ask("POST", "/members/remove", { session, form: { proof: proofs[0] ?? "", person: stage.people.ADMINISTRATOR.email } }),
      client.ask("POST", "/members/remove", { session: other, form: { proof: proofs[1] ?? "", person: stage.people.OWNER.email } })
    ])
    const database = await stage.desk.database.client()
    const { rows } = await database.query("select person from members where organization_id = $1 and role = 'OWNER'", [stage.shop.organizationId])
    assert.isAtLeast(rows.length, 1)
    for (const [person, role] of [["OWNER", "OWNER"], ["ADMINISTRATOR", "ADMINISTRATOR"]] as const) {
      const { email } = stage.people[person]
      await database.query(
        "insert into members values ($1, $2, $3, now()) on conflict (organization_id, person) do update set role = excluded.role",
        [stage.shop.organizationId, email, role]
      )
    }
  })

  it("an invitation gives no password to an account that exists, and cannot be used by somebody else", async () => {
    const session = await stage.session(stage.people.OWNER)
    await client.send("/members/invite", session, { email: stage.people.OTHER.email, role: "SUPPORT" })
    const token = await mailedToken(stage, stage.people.OTHER.email)
    const stranger = await client.send("/invitation/accept", await stage.session(stage.people.NOBODY), { token, name: "X", next: "neka nova lozinka" })
    assert.include(stranger.text, "Пријавите се овом адресом")
    const accepted = await client.send("/invitation/accept", await stage.session(stage.people.OTHER), { token })
    assert.strictEqual(accepted.location, "/organization")
    await stage.desk.admin(["organizations", "remove-member", stage.shop.organizationId, stage.people.OTHER.email, "--reason", "test", "--yes"])
  })
})

describe.runIf(browserPath !== null)("credentials and the activity log, in a real browser", () => {
  it("a credential is revoked by its own organization alone", async () => {
    const issued = await stage.desk.admin(["credentials", "issue", stage.shop.organizationId, "--environment", "sandbox", "--reason", "test", "--json"])
    const clientId = String(issued.json.clientId)
    const foreign = await client.send("/credentials/revoke", await stage.session(stage.people.OTHER), { client: clientId })
    assert.strictEqual(foreign.status, 404)
    await asPerson(stage, stage.people.OWNER, async ({ page }) => {
      await page.goto(`${stage.portal.url}/credentials`)
      await assertGood(page)
      const row = page.locator("tr", { hasText: clientId })
      assert.include(await row.textContent(), "никад")
      // A slip of the finger is not enough.
      assert.isFalse(await row.locator("button").isVisible())
      await row.locator("summary").click()
      assert.include(await row.textContent(), "Не може се вратити")
      await assertGood(page)
      await Promise.all([page.waitForNavigation(), row.locator("button").click()])
      assert.include(await page.locator("tr", { hasText: clientId }).textContent(), "Опозван")
      assert.notInclude(await page.content(), String(issued.json.clientSecret))
    }, { width: 360 })
    assert.include(await activity(), `portal:${stage.people.OWNER.email} credential revoked ${clientId}`)
  })

  it("a credential that got a token shows when; for those of other organizations nothing is shown", async () => {
    const { clientId, clientSecret } = stage.shop
    const database = await stage.desk.database.client()
    await database.query("update credentials set last_used_at = null where client_id = $1", [clientId])
    const wrong = await fetch(stage.api.authUrl, { method: "POST", body: new URLSearchParams({ grant_type: "client_credentials", client_id: clientId, client_secret: "wrong" }) })
    assert.strictEqual(wrong.status, 401)
    const lastUse = async () => (await database.query("select last_used_at from credentials where client_id = $1", [clientId])).rows[0].last_used_at as Date | null
    assert.isNull(await lastUse())
    const right = await fetch(stage.api.authUrl, { method: "POST", body: new URLSearchParams({ grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret }) })
    assert.strictEqual(right.status, 200)
    const at = await vi.waitFor(async () => {
      const found = await lastUse()
      if (found === null) throw new Error("not written down yet")
      return found
    }, 10_000)
    const shown = moment(DateTime.makeUnsafe(at))
    const page = await client.get("/credentials", { session: await stage.session(stage.people.ACCOUNTANT) })
    assert.include(page.text, shown)
    const foreign = await client.get("/credentials", { session: await stage.session(stage.people.OTHER) })
    assert.notInclude(foreign.text, clientId)
  })

  it("the log is searched and saved; a reason that looks like a formula stays text", async () => {
    await stage.desk.admin(["credentials", "issue", stage.shop.organizationId, "--environment", "sandbox", "--reason", "=HYPERLINK(\"https://evil.example\")"])
    await asPerson(stage, stage.people.ACCOUNTANT, async ({ page }) => {
      await page.goto(`${stage.portal.url}/activity`)
      await assertGood(page)
      // Acts are in the reader's language, and found by it in either script.
      assert.notMatch((await page.locator("td[data-head='Шта']").allTextContents()).join(), /[a-z]/i)
      for (const wanted of ["акредитив издат", "Akreditiv izdat", "credential issued"]) {
        await page.fill("#field-text", wanted)
        await click(page, "main form button")
        assert.deepStrictEqual([...new Set(await page.locator("td[data-head='Шта']").allTextContents())], ["акредитив издат"])
      }
      await page.fill("#field-text", "HYPERLINK")
      await click(page, "main form button")
      assert.strictEqual(await page.locator("tbody tr").count(), 1)
      const [download] = await Promise.all([page.waitForEvent("download"), page.click("text=CSV")])
      const csv = readFileSync(await download.path(), "utf8")
      assert.include(csv, "'=HYPERLINK")
      assert.notMatch(csv, /(?:^|,)"?=/m)
    })
    const foreign = await client.get("/activity?text=HYPERLINK", { session: await stage.session(stage.people.OTHER) })
    assert.notInclude(foreign.text, "evil.example")
  })
})
