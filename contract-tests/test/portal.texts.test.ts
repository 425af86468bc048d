import { assert, describe, it } from "vitest"
import { everyPage } from "../src/portal/everyPage.ts"
import { issueSale, refundAll } from "../src/portal/issueSale.ts"
import { sharedPortal } from "../src/portal/sharedPortal.ts"

const { client, stage } = sharedPortal()

/** The texts of a page that are not data: without what a person or another system wrote, which stands in these elements. */
const textsOf = (html: string): ReadonlyArray<string> =>
  html.replaceAll(/<(script|style|pre|code|textarea)\b.*?<\/\1>/gs, " ")
    .replaceAll(/<(button|a)[^>]*lang="[^"]*"[^>]*>.*?<\/\1>/gs, " ")
    .split(/<[^>]*>/).map((text) => text.trim()).filter((text) => text !== "")

/** Names of settings, of acts of the API and of formats stay as they are everywhere. */
const constant = /\b[A-Z]{2,}(?:_[A-Z]{2,})+\b/
/** What people and commands wrote into the log stays as they wrote it. */
const isData = (text: string): boolean => text === "made for a test" || text.startsWith("operator:")
const english = /\b(?:the|this|was|were|not|and|with|for|your|must|from|has|is|are|active|inactive|suspended|closed|restricted|distance|on|off)\b/i

describe("every page in Serbian", () => {
  it("shows no constant and no English sentence", async () => {
    const { simulator } = stage.desk
    const sale = await issueSale(stage)
    await refundAll(stage, await issueSale(stage, { quantity: 1 }))
    await simulator.addFault({ fault: "search-unavailable" })
    await simulator.addFault({ fault: "sign-then-reset", times: 1 })
    await issueSale(stage, { reference: "lost" }).finally(() => simulator.clearFaults())
    const home = `/operator/organizations/${stage.shop.organizationId}`
    const operator = await stage.session(stage.people.OPERATOR)
    await client.send(`${home}/open`, operator, { reason: "гледање сваке странице", back: home })
    const owner = await stage.session(stage.people.OWNER)
    const found: Array<string> = []
    for (const { path, person, route } of await everyPage(stage, sale.id)) {
      const { text } = await client.get(path, person === null ? {} : { session: person === stage.people.OPERATOR ? operator : owner })
      for (const said of textsOf(text)) if (!isData(said) && (constant.test(said) || english.test(said))) found.push(`${route}: ${said}`)
    }
    assert.deepStrictEqual([...new Set(found)], [])
  }, 120_000)
})
