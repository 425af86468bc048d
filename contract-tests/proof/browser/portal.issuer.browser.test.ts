import type { Page } from "playwright-core"
import { afterAll, assert, describe, it } from "vitest"
import { type IdentityIssuer, startIdentityIssuer, unverified } from "../../src/portal/identityIssuer.ts"
import { issuerVisits } from "./issuerVisits.ts"
import { browserPath } from "../../src/portal/browser.ts"
import { password } from "../../src/portal/portalStage.ts"
import { asPerson, assertGood, click, pathIn } from "./readers.ts"
import { sharedPortal } from "../../src/portal/sharedPortal.ts"
import { freePort } from "../../src/support/freePort.ts"
import { totpCode } from "../../src/support/totpCode.ts"

let issuer: IdentityIssuer
// Hooks after the tests run in reverse: the portal is closed first.
afterAll(() => issuer.stop())
const { client, stage } = sharedPortal(async () => {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  issuer = await startIdentityIssuer(`${url}/sign-in/issuer/back`)
  return {
    OVERA_PORTAL_PORT: String(port),
    OVERA_PORTAL_URL: url,
    OVERA_PORTAL_OIDC_ISSUER: issuer.url,
    OVERA_PORTAL_OIDC_CLIENT_ID: "portal",
    OVERA_PORTAL_OIDC_CLIENT_SECRET: issuer.clientSecret,
    OVERA_PORTAL_OIDC_NAME: "Контоар <1>"
  }
})

const { begin, comeBack, signInThere } = issuerVisits(() => issuer, client)

describe("signing in at an OpenID Connect issuer", () => {
  it("opens the session of the account with the verified address, and goes on where the person wanted to", async () => {
    const { answer, cookie } = await begin("/receipts")
    assert.strictEqual(answer.status, 303)
    const asked = new URL(answer.location)
    assert.strictEqual(asked.origin, issuer.url)
    for (const name of ["state", "nonce", "code_challenge"]) assert.isAtLeast(asked.searchParams.get(name)?.length ?? 0, 40, name)
    const returned = await comeBack(await signInThere(answer.location, stage.people.ACCOUNTANT.email), cookie)
    assert.strictEqual(`${returned.status} ${returned.location}`, "303 /receipts")
    const account = await client.get("/account", { session: returned.cookies.get("session") ?? "" })
    assert.include(account.text, stage.people.ACCOUNTANT.email)
  })

  it("still asks for the second factor where the person has one", async () => {
    const { answer, cookie } = await begin("/operator")
    const returned = await comeBack(await signInThere(answer.location, stage.people.OPERATOR.email), cookie)
    assert.strictEqual(returned.location, "/sign-in/code?next=%2Foperator")
    const session = returned.cookies.get("session") ?? ""
    assert.match((await client.get("/operator", { session })).location, /^\/sign-in\/code/)
  })

  it("opens nothing for an address that has no account, or that the issuer has not verified", async () => {
    for (const [email, sentence] of [["nobody-here@primer.example", "нема налога"], [unverified + stage.people.OWNER.email, "не потврђује вашу е-пошту"]] as const) {
      const { answer, cookie } = await begin()
      const returned = await comeBack(await signInThere(answer.location, email), cookie)
      assert.strictEqual(returned.status, 422)
      assert.include(returned.text, sentence)
      assert.isUndefined(returned.cookies.get("session"))
    }
  })

  it("says so when the person cancels at the issuer", async () => {
    const { answer, cookie } = await begin()
    const returned = await comeBack(await signInThere(answer.location, "", "cancel"), cookie)
    assert.include(returned.text, "Пријава је прекинута")
  })

  it("takes an answer once, in the browser that began, unchanged", async () => {
    const { answer, cookie } = await begin()
    const back = await signInThere(answer.location, stage.people.OWNER.email)
    const other = await begin()
    const refused = async (address: string, given: string) => {
      const returned = await comeBack(address, given)
      assert.strictEqual(returned.status, 422, address)
      assert.include(returned.text, "више не важи")
      assert.isUndefined(returned.cookies.get("session"))
    }
    await refused(back, "")
    await refused(back, `${cookie.slice(0, -2)}AA`)
    await refused(back, other.cookie)
    const changed = new URL(back)
    changed.searchParams.set("state", "x".repeat(43))
    await refused(changed.href, cookie)
    const first = await comeBack(back, cookie)
    assert.strictEqual(first.status, 303)
    assert.strictEqual(first.cookies.get("issuer"), "")
    await refused(back, cookie)
    await refused(`${stage.portal.url}/sign-in/issuer/back`, other.cookie)
  })

  it("leads nowhere but to the issuer, and afterwards nowhere out of the portal", async () => {
    for (const next of ["https://evil.example", "//evil.example", "/\\evil.example"]) {
      const { answer, cookie } = await begin(next)
      assert.strictEqual(new URL(answer.location).origin, issuer.url)
      const returned = await comeBack(await signInThere(answer.location, stage.people.OWNER.email), cookie)
      assert.strictEqual(returned.location, "/", next)
    }
  })
})

describe.runIf(browserPath !== null)("signing in at an issuer, in a real browser", () => {
  it.each([[360, true], [1_280, true], [1_280, false]] as const)("at %i px, scripts %s: by keyboard alone", async (width, scripts) => {
    await asPerson(stage, null, async ({ page }) => {
      await page.goto(`${stage.portal.url}/reports`)
      const link = page.locator("a", { hasText: "Контоар <1>" })
      if (scripts) await assertGood(page)
      await link.focus()
      await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")])
      await page.focus("input")
      await page.keyboard.type(stage.people.ADMINISTRATOR.email)
      await Promise.all([page.waitForURL(`${stage.portal.url}/**`), page.keyboard.press("Enter")])
      assert.strictEqual(pathIn(page), "/reports")
    }, { width, scripts, leadsTo: issuer.url })
  }, 60_000)

  it("an operator gives the code afterwards", async () => {
    await asPerson(stage, null, async ({ page }: { readonly page: Page }) => {
      await page.goto(`${stage.portal.url}/sign-in`)
      await click(page, "text=Контоар")
      await page.fill("input", stage.people.OPERATOR.email)
      await Promise.all([page.waitForURL(`${stage.portal.url}/**`), page.keyboard.press("Enter")])
      await page.fill("#field-code", totpCode(stage.operatorSecret))
      await click(page, "main form button")
      assert.strictEqual(pathIn(page), "/operator")
    }, { leadsTo: issuer.url })
  }, 60_000)
})

describe("while the issuer does not answer", () => {
  it("the page says so, and the password still works", async () => {
    const { answer, cookie } = await begin()
    const back = await signInThere(answer.location, stage.people.OWNER.email)
    await issuer.stop()
    const returned = await comeBack(back, cookie)
    assert.strictEqual(returned.status, 503)
    assert.include(returned.text, "тренутно не ради")
    const signedIn = await client.ask("POST", "/sign-in", { form: { email: stage.people.OWNER.email, password, next: "/" } })
    assert.strictEqual(signedIn.status, 303)
    issuer = await startIdentityIssuer(`${stage.portal.url}/sign-in/issuer/back`)
  })
})
