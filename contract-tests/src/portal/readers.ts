import type { Page } from "playwright-core"
import { assert } from "vitest"
import { fitsWidth, openReader, type Reader, type ReaderOptions, violations } from "./browser.ts"
import type { PortalStage, StagePerson } from "./portalStage.ts"

/** A browser in which somebody is signed in, closed afterwards; nothing may have complained. */
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

/** Clicks and waits for the page that follows. */
export const click = (page: Page, selector: string): Promise<unknown> => Promise.all([page.waitForNavigation(), page.click(selector)])

/** No violation of WCAG 2.2 AA, and nothing that sticks out of the window. */
export const assertGood = async (page: Page): Promise<void> => {
  assert.deepStrictEqual(await violations(page), [], page.url())
  assert.isTrue(await fitsWidth(page), page.url())
}
