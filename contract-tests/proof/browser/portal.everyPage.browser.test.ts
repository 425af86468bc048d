import type { Page } from "playwright-core"
import { assert, describe, it } from "vitest"
import { browserPath, fitsWidth, openReader, violations } from "../../src/portal/browser.ts"
import { everyPage, type PageVisit } from "../../src/portal/everyPage.ts"
import { issueProforma, issueSale, refundAll } from "../../src/portal/issueSale.ts"
import { sharedPortal } from "../../src/portal/sharedPortal.ts"

const { client, stage } = sharedPortal()
/** Each theme at a narrow and at a wide window; `npm run pictures -- --check --widths 320,360,1280,1920` looks at every combination. */
const windows = [[320, "light"], [360, "dark"], [1_280, "light"], [1_920, "dark"]] as const
const mostBytes = 50_000

/** The faults of a page that is open: in each window it is laid out anew, not asked for anew. */
const faultsOf = async (page: Page, { route }: PageVisit): Promise<ReadonlyArray<string>> => {
  const faults: Array<string> = []
  for (const [width, colorScheme] of windows) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    const found = [...(await violations(page)), ...((await fitsWidth(page)) ? [] : ["wider than the window"])]
    faults.push(...found.map((it) => `${route} at ${width}, ${colorScheme}: ${it}`))
  }
  return faults
}

describe.runIf(browserPath !== null)("every page of the portal, in a real browser", () => {
  it("weighs at most 50 kB with its style sheet", async () => {
    const sale = await issueSale(stage)
    const style = /href="(\/assets\/[^"]+\.css)"/.exec((await client.get("/sign-in")).text)?.[1] ?? ""
    const styleBytes = Buffer.byteLength((await client.get(style)).text)
    assert.isAbove(styleBytes, 10_000)
    const heavy: Array<string> = []
    // One session for each person: the account page lists every session.
    const owner = await stage.session(stage.people.OWNER)
    const operator = await stage.session(stage.people.OPERATOR)
    for (const { path, person, route } of await everyPage(stage, sale.id)) {
      const { text } = await client.get(path, person === null ? {} : { session: person === stage.people.OPERATOR ? operator : owner })
      // The picture of a receipt that is not stored stands in its page; elsewhere pictures are files of their own.
      const bytes = Buffer.byteLength(text.replaceAll(/"data:image\/png;base64,[^"]*"/g, "")) + styleBytes
      if (bytes > mostBytes) heavy.push(`${route}: ${bytes}`)
    }
    assert.deepStrictEqual(heavy, [])
  }, 120_000)

  it("violates no rule of WCAG 2.2 AA and fits the window at 320, 360, 1280 and 1920 px, in both themes", async () => {
    const sale = await issueSale(stage, { reference: "order-2026-000417" })
    await refundAll(stage, await issueSale(stage, { quantity: 1 }))
    await issueProforma(stage, "order-2026-000420")
    const home = `/operator/organizations/${stage.shop.organizationId}`
    await client.send(`${home}/open`, await stage.session(stage.people.OPERATOR), { reason: "looking at every page", back: home })
    const pages = await everyPage(stage, sale.id)
    assert.isAtLeast(pages.length, 60)
    const faults: Array<string> = []
    for (const [person, visits] of Map.groupBy(pages, (it) => it.person)) {
      const reader = await openReader({ origin: stage.portal.url })
      if (person !== null) await reader.context.addCookies([{ name: "overa-session", value: await stage.session(person), url: stage.portal.url }])
      for (const visit of visits) {
        const answer = await reader.page.goto(stage.portal.url + visit.path)
        const status = answer?.status() ?? 0
        if (status >= 500) faults.push(`${visit.route} answered ${status}`)
        faults.push(...(await faultsOf(reader.page, visit)))
      }
      await reader.close()
    }
    assert.deepStrictEqual(faults, [])
  }, 900_000)
})
