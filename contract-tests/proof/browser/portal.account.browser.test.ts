import type { Page } from "playwright-core"
import { assert, describe, it } from "vitest"
import { browserPath } from "../../src/portal/browser.ts"
import { password, type StagePerson } from "../../src/portal/portalStage.ts"
import { asPerson, assertGood, pathIn } from "./readers.ts"
import { sharedPortal } from "../../src/portal/sharedPortal.ts"
import { totpCode } from "../../src/support/totpCode.ts"

if (browserPath === null) process.stderr.write("NO BROWSER: the portal's pages are not tried in one. Install Chromium, or name one in OVERA_CHROMIUM.\n")

const { stage } = sharedPortal()

/** Types into the focused form, as a person without a mouse does. */
const typeAndSend = async (page: Page, ...texts: ReadonlyArray<string>): Promise<void> => {
  for (const [index, text] of texts.entries()) {
    if (index > 0) await page.keyboard.press("Tab")
    await page.keyboard.type(text)
  }
  await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")])
}

const signIn = async (page: Page, person: StagePerson, secret = password): Promise<void> => {
  await page.goto(`${stage.portal.url}/sign-in`)
  await page.focus("#field-email")
  await typeAndSend(page, person.email, secret)
}

describe.runIf(browserPath !== null)("signing in and one's own account, in a real browser", () => {
  it.each([[360, true], [1_280, true], [1_280, false]] as const)("at %i px, scripts %s: password, sessions, language", async (width, scripts) => {
    await asPerson(stage, null, async ({ page }) => {
      await signIn(page, stage.people.ACCOUNTANT, "wrong password here")
      assert.include(await page.textContent("[role=alert]"), "није тачна")
      assert.strictEqual(await page.inputValue("#field-email"), stage.people.ACCOUNTANT.email)
      if (scripts) await assertGood(page)
      await signIn(page, stage.people.ACCOUNTANT)
      assert.strictEqual(pathIn(page), "/")
      for (const path of ["/", "/account", "/account/password", "/account/second-factor", "/organization", "/nothing"]) {
        await page.goto(stage.portal.url + path)
        if (scripts) await assertGood(page)
      }
      for (const [language, word] of [["en", "My account"], ["sr-Latn", "Moj nalog"], ["sr-Cyrl", "Мој налог"]] as const) {
        await page.goto(`${stage.portal.url}/account`)
        await Promise.all([page.waitForNavigation(), page.click(`button[value="${language}"]`)])
        assert.strictEqual(await page.textContent("h1"), word)
        assert.strictEqual(await page.getAttribute("html", "lang"), language)
      }
      await Promise.all([page.waitForNavigation(), page.click("header form[action='/sign-out'] button")])
      assert.strictEqual(pathIn(page), "/sign-in")
    }, { width, scripts })
  }, 60_000)

  it("by keyboard alone: the second factor is set, demanded, and no code is taken twice", async () => {
    await asPerson(stage, null, async ({ page }) => {
      await signIn(page, stage.people.ADMINISTRATOR)
      await page.goto(`${stage.portal.url}/account/second-factor`)
      const secret = (await page.textContent(".secret")) ?? ""
      await page.focus("#field-code")
      await typeAndSend(page, "000000", password)
      assert.include(await page.textContent(".fault"), "Код није тачан")
      // The same secret is shown: after a typing mistake nobody must scan again.
      assert.strictEqual(await page.textContent(".secret"), secret)
      await page.focus("#field-code")
      const used = totpCode(secret)
      await typeAndSend(page, used, password)
      assert.include(await page.textContent("main"), "Други фактор је укључен")
      await page.context().clearCookies()
      await signIn(page, stage.people.ADMINISTRATOR)
      assert.include(page.url(), "/sign-in/code")
      await assertGood(page)
      await page.focus("#field-code")
      await typeAndSend(page, used)
      assert.include(await page.textContent("[role=alert]"), "већ употребљен")
      await page.focus("#field-code")
      await typeAndSend(page, totpCode(secret, Date.now() + 30_000))
      assert.strictEqual(pathIn(page), "/")
    })
  }, 60_000)

  it("a new password ends every other session; a weak one is refused beside its field", async () => {
    await asPerson(stage, null, async (other) => {
      await signIn(other.page, stage.people.SUPPORT)
      await asPerson(stage, null, async ({ page }) => {
        await signIn(page, stage.people.SUPPORT)
        await page.goto(`${stage.portal.url}/account/password`)
        await page.focus("#field-current")
        await typeAndSend(page, password, "support1")
        assert.include(await page.textContent("#field-next-fault"), "бар 12")
        await assertGood(page)
        await page.focus("#field-current")
        await typeAndSend(page, password, "nova duga lozinka")
        assert.include(await page.textContent("[role=status]"), "Лозинка је промењена")
        await other.page.goto(`${stage.portal.url}/account`)
        assert.include(other.page.url(), "/sign-in")
        await page.goto(`${stage.portal.url}/account`)
        assert.strictEqual(pathIn(page), "/account")
      })
    })
  }, 60_000)

  it("an operator signs in with the second factor and reaches the operators' area", async () => {
    await asPerson(stage, null, async ({ page }) => {
      await signIn(page, stage.people.OPERATOR)
      await page.focus("#field-code")
      await typeAndSend(page, totpCode(stage.operatorSecret))
      assert.strictEqual(await page.getAttribute("html", "lang"), "en")
    }, { locale: "en-GB" })
  })
})
