import type { Page } from "playwright-core"
import { assert } from "vitest"
import { fitsWidth, openReader, type Reader, type ReaderOptions, violations } from "../../src/portal/browser.ts"
import type { PortalStage, StagePerson } from "../../src/portal/portalStage.ts"

/** A browser in which a person is signed in, closed afterwards; it must have recorded no complaint. */
export const asPerson = async (
  stage: PortalStage,
  person: StagePerson | null,
  body: (reader: Reader) => Promise<void>,
  options: Omit<ReaderOptions, "origin"> = {}
): Promise<void> => {
  const reader = await openReader({ origin: stage.portal.url, ...options })
  try {
    if (person !== null) await reader.context.addCookies([{ name: "overa-session", value: await stage.session(person), url: stage.portal.url }])
    await body(reader)
    assert.deepStrictEqual(reader.complaints, [])
  } finally {
    await reader.close()
  }
}

/** Clicks and waits for the next page. */
export const click = (page: Page, selector: string): Promise<unknown> => Promise.all([page.waitForNavigation(), page.click(selector)])

/** Fills in the fields of a form by their names; a list gets the value chosen. */
export const fill = async (page: Page, fields: Readonly<Record<string, string>>): Promise<void> => {
  for (const [name, value] of Object.entries(fields)) {
    const isChoice = (await page.locator(`select#field-${name}`).count()) > 0
    if (isChoice) await page.selectOption(`#field-${name}`, value)
    else await page.fill(`#field-${name}`, value)
  }
}

/** Gives the reason of an operator's act and sends its form. */
export const giveReason = async (page: Page, reason: string): Promise<void> => {
  await page.fill("#field-reason", reason)
  await click(page, "main form button")
}

/** Switches off the browser's own checks of forms, which must not hide the portal's. */
export const withoutBrowserChecks = (page: Page): Promise<unknown> => page.evaluate("document.querySelectorAll('form').forEach((it) => it.setAttribute('novalidate', ''))")

/** The path of the page inside its place. */
export const pathIn = (page: Page): string => new URL(page.url()).pathname.replace(/^\/o\/[^/]+\/[^/]+/, "") || "/"

/** A picture of every checked page, for a person to look at, where `OVERA_PORTAL_PICTURES` names a folder. */
const keepPicture = async (page: Page): Promise<void> => {
  const folder = process.env["OVERA_PORTAL_PICTURES"]
  if (folder === undefined) return
  const name = pathIn(page).replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "id").replaceAll("/", "_")
  await page.screenshot({ path: `${folder}/${name}-${page.viewportSize()?.width ?? 0}.png`, fullPage: true })
}

/** No violation of WCAG 2.2 AA, and nothing wider than the window. */
export const assertGood = async (page: Page): Promise<void> => {
  await keepPicture(page)
  assert.deepStrictEqual(await violations(page), [], page.url())
  assert.isTrue(await fitsWidth(page), page.url())
}
