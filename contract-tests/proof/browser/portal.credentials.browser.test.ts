import type { Page } from "playwright-core"
import { assert, describe, it } from "vitest"
import { browserPath } from "../../src/portal/browser.ts"
import { password } from "../../src/portal/portalStage.ts"
import { sharedPortal } from "../../src/portal/sharedPortal.ts"
import { freePort } from "../../src/support/freePort.ts"
import { asPerson, assertGood, click } from "./readers.ts"
import { VirtualKey } from "./virtualKey.ts"

const { activity, rowsOf, stage } = sharedPortal(async () => {
  const port = await freePort()
  // Browsers make passkeys for names, not for addresses that are numbers.
  return { OVERA_PORTAL_PORT: String(port), OVERA_PORTAL_URL: `http://localhost:${port}` }
})

const count = async (): Promise<number> =>
  (await rowsOf<{ readonly n: number }>("select count(*)::int as n from credentials where organization_id = $1", [stage.shop.organizationId]))[0]?.n ?? -1

/** What the page shows once: the client's id, then the secret. */
const shownOnce = async (page: Page): Promise<readonly [client: string, secret: string]> => {
  const [client = "", secret = ""] = await page.locator(".secret").allTextContents()
  return [client, secret]
}

const tokenFor = async (clientId: string, secret: string): Promise<number> =>
  (await fetch(stage.api.authUrl, { method: "POST", body: new URLSearchParams({ grant_type: "client_credentials", client_id: clientId, client_secret: secret }) })).status

/** Adds a passkey to the account, and answers it. */
const addPasskey = async (page: Page) => {
  const key = await VirtualKey.plugInto(page)
  await page.goto(`${stage.portal.url}/account/second-factor/passkeys/new`)
  await page.fill("#field-name", "Телефон")
  await page.fill("#field-current", password)
  await click(page, "main form button")
  await click(page, "main form button")
  return await key.passkeys()
}

describe.runIf(browserPath !== null)("an owner's credential, in a real browser", () => {
  it.each([360, 1_280])("at %i px: issued and rotated with a passkey in place of the password; without its confirmation nothing happens", async (width) => {
    await asPerson(stage, stage.people.OWNER, async ({ page }) => {
      const passkeys = await addPasskey(page)
      const before = await count()
      await page.goto(`${stage.portal.url}/credentials/new`)
      assert.strictEqual(await page.locator("#field-current").count(), 0, "no password is asked for")
      await assertGood(page)
      // The look at a page's accessibility takes the authenticator out.
      const key = await VirtualKey.plugInto(page)
      await key.hold([])
      await page.fill("#field-name", `Веб ${width}`)
      await page.evaluate("document.querySelector('form[data-passkey]').dataset.options = document.querySelector('form[data-passkey]').dataset.options.replace(/\"timeout\":\\d+/, '\"timeout\":10')")
      await page.click("main form button")
      await page.waitForSelector("[data-when=refused]:not([hidden])")
      assert.strictEqual(await count(), before, "a browser without the key issues nothing")
      await key.hold(passkeys)
      await click(page, "main form button")
      const [client, secret] = await shownOnce(page)
      assert.match(client, /^svc-/)
      assert.match(secret, /^[A-Za-z0-9_-]{43}$/)
      assert.strictEqual(await count(), before + 1)
      assert.strictEqual(await tokenFor(client, secret), 200)
      const held = await key.passkeys()
      await assertGood(page)
      await page.goto(`${stage.portal.url}/credentials/rotate/${client}`)
      await page.selectOption("#field-keep", "0")
      await (await VirtualKey.plugInto(page)).hold(held)
      await click(page, "main form button")
      const [again, next] = await shownOnce(page)
      assert.strictEqual(again, client)
      assert.deepStrictEqual([await tokenFor(client, secret), await tokenFor(client, next)], [401, 200])
      // The way by password stays.
      await page.goto(`${stage.portal.url}/credentials/rotate/${client}`)
      await click(page, "a[href$='?with=password']")
      await page.fill("#field-current", password)
      await click(page, "main form button")
      assert.strictEqual(await tokenFor(client, (await shownOnce(page))[1]), 200)
      for (const act of ["credential issued", "credential rotated"]) assert.isTrue((await activity()).some((line) => line.startsWith(`portal:${stage.people.OWNER.email} ${act}`)), act)
    }, { width })
  }, 90_000)
})
