import type { Page } from "playwright-core"
import { assert, describe, it } from "vitest"
import { browserPath } from "../../src/portal/browser.ts"
import { password, type StagePerson } from "../../src/portal/portalStage.ts"
import { asPerson, assertGood, click, pathIn } from "./readers.ts"
import { VirtualKey } from "./virtualKey.ts"
import { sharedPortal } from "../../src/portal/sharedPortal.ts"
import { freePort } from "../../src/support/freePort.ts"
import { totpCode } from "../../src/support/totpCode.ts"

const path = "/account/second-factor/passkeys"
const { client, rowsOf, stage } = sharedPortal(async () => {
  const port = await freePort()
  // Browsers make passkeys for names, not for addresses that are numbers.
  return { OVERA_PORTAL_PORT: String(port), OVERA_PORTAL_URL: `http://localhost:${port}` }
})

const pathOf = pathIn

const passkeysOf = (person: StagePerson) => rowsOf<{ readonly name: string; readonly used: boolean }>(
  "select name, last_used_at is not null as used from portal_passkeys where person_id = $1 order by created_at", [person.id])

/** Adds one, and waits for the page that says so. */
const addPasskey = async (page: Page, name: string): Promise<void> => {
  await page.goto(`${stage.portal.url}${path}/new`)
  await page.fill("#field-name", name)
  await page.fill("#field-current", password)
  await click(page, "main form button")
  await click(page, "main form button")
  assert.include(await page.textContent("[role=status]"), "Приступни кључ је додат")
}

const givePassword = async (page: Page, person: StagePerson): Promise<void> => {
  await page.context().clearCookies({ name: "overa-session" })
  await page.goto(`${stage.portal.url}/sign-in`)
  await page.fill("#field-email", person.email)
  await page.fill("#field-password", password)
  await click(page, "main form button")
}

/** The fields that the browser sends to a path while `act` runs. */
const sentTo = async (page: Page, to: string, act: () => Promise<unknown>): Promise<Readonly<Record<string, string>>> => {
  const [request] = await Promise.all([page.waitForRequest((it) => it.method() === "POST" && it.url().endsWith(to)), act()])
  return Object.fromEntries(new URLSearchParams(request.postData() ?? ""))
}

describe.runIf(browserPath !== null)("passkeys, in a real browser", () => {
  it.each([[360, "ACCOUNTANT"], [1_280, "SUPPORT"]] as const)("at %i px, by keyboard alone: one is added, asked for at the next sign-in, and removed", async (width, role) => {
    const person = stage.people[role]
    const elsewhere = await stage.session(person)
    await asPerson(stage, person, async ({ page }) => {
      const sendByKeyboard = () => Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")])
      await page.goto(`${stage.portal.url}/account/second-factor`)
      await assertGood(page)
      await page.focus(`a[href$='${path}/new']`)
      await sendByKeyboard()
      await assertGood(page)
      await page.focus("#field-name")
      await page.keyboard.type("Мој <b>телефон")
      await page.keyboard.press("Tab")
      await page.keyboard.type("not my password")
      await sendByKeyboard()
      assert.include(await page.textContent("#field-current-fault"), "није тачна")
      assert.strictEqual(await page.inputValue("#field-name"), "Мој <b>телефон")
      await assertGood(page)
      await page.focus("#field-current")
      await page.keyboard.type(password)
      await sendByKeyboard()
      await assertGood(page)
      // The look at a page's accessibility takes the authenticator out.
      const made = await VirtualKey.plugInto(page)
      await page.focus("main form button")
      await sendByKeyboard()
      const passkeys = await made.passkeys()
      assert.include(await page.textContent("main"), "Мој <b>телефон")
      await assertGood(page)
      assert.match((await client.get("/account", { session: elsewhere })).location, /^\/sign-in/)

      await givePassword(page, person)
      assert.strictEqual(pathOf(page), "/sign-in/code")
      assert.strictEqual(await page.locator("#field-code").count(), 0)
      await assertGood(page)
      await page.goto(`${stage.portal.url}/account`)
      assert.strictEqual(pathOf(page), "/sign-in/code")
      await (await VirtualKey.plugInto(page)).hold(passkeys)
      await page.focus("main form button")
      await sendByKeyboard()
      assert.notInclude(page.url(), "/sign-in")
      assert.deepStrictEqual(await passkeysOf(person), [{ name: "Мој <b>телефон", used: true }])

      await page.goto(`${stage.portal.url}/account/second-factor`)
      await page.focus(`a[href*='${path}/remove/']`)
      await sendByKeyboard()
      await assertGood(page)
      await page.focus("#field-current")
      await page.keyboard.type(password)
      await sendByKeyboard()
      assert.include(await page.textContent("[role=status]"), "уклоњен")
      assert.deepStrictEqual(await passkeysOf(person), [])
    }, { width })
    const acts = await rowsOf<{ readonly act: string }>("select act from activity_log where subject = $1 and act like 'passkey%' and actor = $2 order by at", [person.email, `portal:${person.email}`])
    assert.deepStrictEqual(acts.map(({ act }) => act), ["passkey added", "passkey removed"])
  }, 60_000)

  it("an operator without a second factor may set a passkey; the last second factor of an operator stays", async () => {
    await stage.desk.admin(["people", "reset-second-factor", stage.people.OPERATOR.email, "--reason", "test", "--yes"])
    await asPerson(stage, stage.people.OPERATOR, async ({ page }) => {
      await VirtualKey.plugInto(page)
      await page.goto(`${stage.portal.url}/operator`)
      assert.strictEqual(pathOf(page), "/account/second-factor")
      await addPasskey(page, "Рачунар")
      await page.goto(`${stage.portal.url}/operator`)
      assert.strictEqual(pathOf(page), "/operator")
      await page.goto(`${stage.portal.url}/account/second-factor`)
      await click(page, `a[href*='${path}/remove/']`)
      await page.fill("#field-current", password)
      await click(page, "main form button")
      assert.include(await page.textContent("[role=alert]"), "Оператери морају имати други фактор")
      await assertGood(page)
      // An authenticator app beside it is set up only with the password.
      await page.goto(`${stage.portal.url}/account/second-factor`)
      const secret = (await page.textContent(".secret")) ?? ""
      await page.fill("#field-code", totpCode(secret))
      await page.fill("#field-current", "not my password")
      await click(page, "main form[action$='/account/second-factor'] button")
      assert.include(await page.textContent("#field-current-fault"), "није тачна")
      assert.strictEqual(await page.textContent(".secret"), secret)
      assert.deepStrictEqual(await rowsOf("select 1 from people where person_id = $1 and totp_secrets is not null", [stage.people.OPERATOR.id]), [])
    })
    assert.lengthOf(await passkeysOf(stage.people.OPERATOR), 1)
    const signIn = await stage.desk.admin(["sign-in", stage.people.OPERATOR.email], { lines: [password] })
    assert.include(signIn.err, "cannot ask for a passkey")
    const removed = await stage.desk.admin(["people", "reset-second-factor", stage.people.OPERATOR.email, "--reason", "lost", "--yes"])
    assert.strictEqual(removed.code, 0, removed.err)
    assert.lengthOf(await passkeysOf(stage.people.OPERATOR), 0)
  }, 60_000)

  it("a cancelled question and one without JavaScript are answered with a sentence; nothing is stored", async () => {
    await asPerson(stage, stage.people.ADMINISTRATOR, async ({ page }) => {
      const key = await VirtualKey.plugInto(page)
      await key.confirms(false)
      await page.goto(`${stage.portal.url}${path}/new`)
      await page.fill("#field-name", "Телефон")
      await page.fill("#field-current", password)
      await click(page, "main form button")
      await page.evaluate("document.querySelector('form[data-passkey]').dataset.options = document.querySelector('form[data-passkey]').dataset.options.replace('\"timeout\":60000', '\"timeout\":10')")
      await page.click("main form button")
      await page.waitForSelector("[data-when=refused]:not([hidden])")
      assert.isTrue(await page.isEnabled("main form button"))
      await assertGood(page)
    })
    await asPerson(stage, stage.people.ADMINISTRATOR, async ({ page }) => {
      await page.goto(`${stage.portal.url}${path}/new`)
      await page.fill("#field-name", "Телефон")
      await page.fill("#field-current", password)
      await click(page, "main form button")
      assert.include(await page.textContent("main"), "мора дозволити JavaScript")
      await click(page, "main form button")
      assert.include(await page.textContent("[role=alert]"), "Ништа није сачувано")
      assert.strictEqual(await page.inputValue("#field-name"), "")
    }, { scripts: false })
    assert.deepStrictEqual(await passkeysOf(stage.people.ADMINISTRATOR), [])
  }, 60_000)

  it("an answer is worth nothing a second time, in another session, changed, for another question, or from a copy of the passkey", async () => {
    const person = stage.people.OWNER
    await asPerson(stage, person, async ({ page }) => {
      const key = await VirtualKey.plugInto(page)
      await addPasskey(page, "Телефон")
      const copy = await key.passkeys()
      await givePassword(page, person)
      const halfway = (await page.context().cookies()).find(({ name }) => name === "overa-session")?.value ?? ""
      const used = await sentTo(page, "/sign-in/passkey", () => click(page, "main form button"))
      assert.strictEqual(pathOf(page), "/")
      // The session that the answer belonged to ended with it; another one cannot open its question.
      const another = await stage.session(person, "PASSWORD")
      const proof = async (session: string) => /name="proof" value="([^"]*)"/.exec((await client.get("/sign-in/code", { session })).text)?.[1] ?? ""
      for (const session of [halfway, another]) {
        const again = await client.ask("POST", "/sign-in/passkey", { session, form: { ...used, proof: await proof(session) } })
        assert.isTrue(again.status === 422 || again.location.startsWith("/sign-in"), `${again.status} ${again.location}`)
        assert.isFalse(again.cookies.has("session"))
      }

      // In its own session a question takes one answer, right or wrong.
      await givePassword(page, person)
      const session = (await page.context().cookies()).find(({ name }) => name === "overa-session")?.value ?? ""
      const question = (await page.getAttribute("input[name=question]", "value")) ?? ""
      const send = (form: Readonly<Record<string, string>>) => client.ask("POST", "/sign-in/passkey", { session, form })
      const newForm = async () => {
        const { text } = await client.get("/sign-in/code", { session })
        return { proof: /name="proof" value="([^"]*)"/.exec(text)?.[1] ?? "", question: /name="question" value="([^"]*)"/.exec(text)?.[1] ?? "" }
      }
      const { answer } = used
      const parsed = JSON.parse(answer ?? "{}") as { readonly id: string; readonly response: Readonly<Record<string, string>> }
      const hostile = [
        "", "null", "[]", "{}", "0", "{", `{"id":${JSON.stringify(parsed.id)}}`, JSON.stringify({ ...parsed, id: "A".repeat(22), rawId: "A".repeat(22) }),
        JSON.stringify({ ...parsed, response: null }), JSON.stringify({ ...parsed, response: { ...parsed.response, authenticatorData: "" } }),
        JSON.stringify({ ...parsed, response: { ...parsed.response, clientDataJSON: "e30" } }), "[".repeat(4_000), "x".repeat(5_000), answer ?? ""
      ]
      for (const wrong of hostile) {
        const refused = await send({ ...(await newForm()), answer: wrong })
        assert.strictEqual(refused.status, 422, wrong.slice(0, 80))
        assert.include(refused.text, "није прихваћен")
      }
      const spent = await newForm()
      assert.strictEqual((await send({ ...spent, question, answer: "{}" })).status, 422)
      await page.evaluate(`document.querySelector('input[name=question]').value = ${JSON.stringify(question)}`)
      await click(page, "main form button")
      assert.include(await page.textContent("[role=alert]"), "није прихваћен")

      // The browser's next answer is right: nothing above locked the person out.
      await click(page, "main form button")
      assert.strictEqual(pathOf(page), "/")
      // A copy taken before has a lower counter.
      await key.hold(copy)
      await givePassword(page, person)
      await click(page, "main form button")
      assert.include(await page.textContent("[role=alert]"), "није прихваћен")
    })
    assert.deepStrictEqual(stage.log.filter((line) => line.includes("\"event\":\"fault\"")), [])
  }, 60_000)

  it("another person's passkey, and one made for another session's question, are refused", async () => {
    let owners: ReadonlyArray<Awaited<ReturnType<VirtualKey["passkeys"]>>[number]> = []
    await asPerson(stage, stage.people.OTHER, async ({ page }) => {
      const key = await VirtualKey.plugInto(page)
      await addPasskey(page, "Њен")
      owners = await key.passkeys()
    })
    await asPerson(stage, stage.people.NOBODY, async ({ page }) => {
      const key = await VirtualKey.plugInto(page)
      await addPasskey(page, "Његов")
      await givePassword(page, stage.people.NOBODY)
      await key.hold(owners)
      // The browser is told to use the other person's key; the page's own list would not name it.
      await page.evaluate(`{
        const form = document.querySelector("form[data-passkey]")
        form.dataset.options = JSON.stringify({ ...JSON.parse(form.dataset.options), allowCredentials: [] })
      }`)
      await click(page, "main form button")
      assert.include(await page.textContent("[role=alert]"), "није прихваћен")
    })
  }, 60_000)

  it("scripts run on the pages that ask for a passkey, and on no other", async () => {
    const session = await stage.session(stage.people.OTHER, "PASSWORD")
    const asking = await client.get("/sign-in/code", { session })
    assert.match(String(asking.headers["content-security-policy"]), /^default-src 'none'; script-src 'self'; /)
    assert.notMatch(asking.text, /<script(?![^>]* src="\/assets\/[0-9a-f]{16}\/[a-z]+\.js")/)
    for (const [, address] of asking.text.matchAll(/<script src="([^"]+)"/g)) {
      const script = await client.get(address ?? "")
      assert.strictEqual(script.status, 200)
      assert.include(String(script.headers["content-type"]), "text/javascript")
    }
    for (const other of ["/", "/account/second-factor", `${path}/new`]) {
      const page = await client.get(other, { session: await stage.session(stage.people.OTHER) })
      assert.strictEqual(page.status, 200)
      assert.notMatch(String(page.headers["content-security-policy"]) + page.text, /script-src|<script/)
    }
  })
})
