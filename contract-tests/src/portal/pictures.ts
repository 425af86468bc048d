/**
 * Pictures of every page of the portal, in two languages, three widths and two themes, for a person to look at before and after a change.
 *
 *   npm run pictures                                      into ./pictures
 *   npm run pictures -- --into /tmp/before --only /reports --widths 320,1280 --themes dark --languages en
 *   npm run pictures -- --check                           also looks for violations of WCAG 2.2 AA and pages wider than the window; exits with 1 where there are any
 *
 * Needs Chromium. A page's file is named after its route: `receipts_id-sr-1280-light.png`.
 */
import { mkdirSync } from "node:fs"
import { parseArgs } from "node:util"
import { startPostgresServer } from "../support/postgresServer.ts"
import { fitsWidth, openReader, type Reader, violations } from "./browser.ts"
import type { PageVisit } from "./everyPage.ts"

const { values } = parseArgs({
  options: {
    into: { type: "string", default: "pictures" },
    only: { type: "string", default: "/" },
    widths: { type: "string", default: "360,1280,1920" },
    themes: { type: "string", default: "light,dark" },
    languages: { type: "string", default: "sr,en" },
    check: { type: "boolean", default: false }
  }
})
const say = (line: string): void => void process.stdout.write(`${line}\n`)
const locales: Readonly<Record<string, string>> = { sr: "sr-RS", en: "en-GB" }

const server = await startPostgresServer("pictures", { durable: false })
// The stage makes its database on this server.
process.env["OVERA_TEST_SERVER"] = server.url("postgres")
const { password, portalStage } = await import("./portalStage.ts")
const { everyPage } = await import("./everyPage.ts")
const { callShop, issueProforma, issueSale, refundAll } = await import("./issueSale.ts")
const { PortalClient } = await import("./PortalClient.ts")

const stage = await portalStage()

/** Some receipts, a refund, a product: a page without any content shows nothing of its look. */
const fillShop = async (): Promise<string> => {
  const sale = await issueSale(stage, { reference: "order-2026-000417", item: "Планинарске ципеле 43" })
  for (const payment of ["CASH", "CARD", "VOUCHER"]) await issueSale(stage, { payment, quantity: payment.length, cashier: `blagajna-${payment.length}` })
  await refundAll(stage, await issueSale(stage, { quantity: 1, reference: "order-2026-000418" }))
  await issueProforma(stage, "order-2026-000420")
  const { businessPremiseId, taxpayerId } = stage.shop
  const { id } = await callShop<{ readonly id: string }>(stage, "/v1/advance-cases", { taxpayerId, businessPremiseId, clientReference: "order-2026-000419", buyer: { id: "20:123456789" } })
  await callShop(stage, `/v1/advance-cases/${id}/payments`, { cashier: { id: "web" }, items: [{ name: "10: Аванс (A)", quantity: 1, unitPrice: 12_000, taxLabels: ["A"] }], payments: [{ type: "CARD", amount: 12_000 }] })
  const client = new PortalClient(() => stage.portal.url)
  const owner = await stage.session(stage.people.OWNER)
  await client.send("/webhooks/new", owner, { url: "https://prodavnica.example/overa/dogadjaji", description: "Веб продавница", reach: "all", signature: "v1", current: password })
  await client.send("/receipts/searches", owner, { query: "text=order-2026", name: "Поруџбине 2026" })
  const database = await stage.desk.database.client()
  await database.query(
    "insert into attention (organization_id, operation_id, kind, detail, evidence, raised_at) values ($1, $2, 'SECOND_RECEIPT', 'Two receipts were found for one attempt.', 'RequestId: 0123456789abcdef', now())",
    [stage.shop.organizationId, sale.id]
  )
  const home = `/operator/organizations/${stage.shop.organizationId}`
  await client.send(`${home}/open`, await stage.session(stage.people.OPERATOR), { reason: "pictures", back: home })
  return sale.id
}

const nameOf = (visit: PageVisit): string => visit.route === "/" ? "overview" : visit.route.slice(1).replaceAll(/[:/]+/g, "_")

const faults: Array<string> = []

const takePictures = async (reader: Reader, visit: PageVisit, name: string): Promise<void> => {
  const answer = await reader.page.goto(stage.portal.url + visit.path)
  for (const theme of values.themes.split(",")) {
    await reader.page.emulateMedia({ colorScheme: theme === "dark" ? "dark" : "light" })
    await reader.page.screenshot({ path: `${values.into}/${name}-${theme}.png`, fullPage: true })
    if (!values.check) continue
    const found = [...(await violations(reader.page)), ...((await fitsWidth(reader.page)) ? [] : ["wider than the window"])]
    faults.push(...found.map((it) => `${name}-${theme} (${answer?.status()}): ${it}`))
  }
}

try {
  mkdirSync(values.into, { recursive: true })
  const pages = (await everyPage(stage, await fillShop())).filter(({ route }) => route.startsWith(values.only))
  for (const language of values.languages.split(",")) {
    for (const width of values.widths.split(",").map(Number)) {
      const people = Map.groupBy(pages, ({ person }) => person)
      for (const [person, visits] of people) {
        const reader = await openReader({ origin: stage.portal.url, width, locale: locales[language] ?? language })
        if (person !== null) await reader.context.addCookies([{ name: "overa-session", value: await stage.session(person), url: stage.portal.url }])
        for (const visit of visits) await takePictures(reader, visit, `${nameOf(visit)}-${language}-${width}`)
        await reader.close()
      }
      say(`${language} ${width}: ${pages.length} pages`)
    }
  }
  for (const fault of faults) say(fault)
  if (faults.length > 0) process.exitCode = 1
} finally {
  await stage.close()
  await server.destroy()
}
