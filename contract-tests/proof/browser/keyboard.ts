import type { Page } from "playwright-core"
import { assert } from "vitest"

/** More fields and links than a page has. */
const mostPresses = 150

/** Presses Tab from where the focus is until `is` says that the focus has arrived. */
const tabUntil = async (page: Page, what: string, is: string): Promise<void> => {
  for (let presses = 0; presses < mostPresses; presses++) {
    await page.keyboard.press("Tab")
    if (await page.evaluate(is)) return
  }
  assert.fail(`${what} is not reached by the keyboard`)
}

/** By the keyboard alone to the button or link with this text. */
export const tabTo = (page: Page, text: string): Promise<void> => tabUntil(page, `"${text}"`, `document.activeElement?.textContent === ${JSON.stringify(text)}`)

/** By the keyboard alone into the fields of a form, in the order of the page; what a field has is written over, a list gets the value by its arrows. */
export const typeInto = async (page: Page, fields: Readonly<Record<string, string>>): Promise<void> => {
  for (const [name, value] of Object.entries(fields)) {
    await tabUntil(page, `the field ${name}`, `document.activeElement?.id === ${JSON.stringify(`field-${name}`)}`)
    const isList = await page.evaluate("document.activeElement.tagName === 'SELECT'")
    if (!isList) {
      await page.keyboard.press("ControlOrMeta+a")
      await page.keyboard.type(value)
      continue
    }
    await page.keyboard.press("Home")
    for (let presses = 0; presses < mostPresses && (await page.evaluate("document.activeElement.value")) !== value; presses++) await page.keyboard.press("ArrowDown")
    assert.strictEqual(await page.evaluate("document.activeElement.value"), value)
  }
}

/** Presses Enter on what has the focus, and waits for the page that it leads to. */
export const enterTo = (page: Page, address: RegExp): Promise<unknown> => Promise.all([page.waitForURL(address, { timeout: 60_000 }), page.keyboard.press("Enter")])
