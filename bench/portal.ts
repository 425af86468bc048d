/**
 * The portal with a large journal: every page of a member and of an operator, as a person opens it, with so many receipts in the organization's journal, as rows
 * that the real path wrote, multiplied by INSERT … SELECT over three years. The time is the server's own, from the request to the page (its log); what
 * a page refers to (style sheet) counts for the first page's bytes. Prints median, p95 and bytes of each; fails where a page takes more than 100 ms (p95) or 50 kB.
 * Files are saved, not shown: they are measured and not judged. One receipt in a hundred is an Advance that stays open, so that the month's book is one
 * that a bookkeeper gets.
 *
 *     node --conditions=@overa/source bench/portal.ts [receipts, 2000000 if left out]
 */
import { layerDatabase, layerJournalUpkeep, layerOperationStore } from "@overa/adapter-postgres"
import { InvoiceType, type Operation } from "@overa/domain"
import { pageFolders } from "@overa/portal"
import { Layer, ManagedRuntime, Redacted } from "effect"
import { multiplyDocuments, storePatterns } from "../contract-tests/src/support/manyDocuments.ts"
import { startPostgresServer } from "../contract-tests/src/support/postgresServer.ts"
import { mintPlace } from "../contract-tests/src/support/sampleOperations.ts"
import { expectAtMost } from "./support/figures.ts"
import { median, p95 } from "./support/load.ts"
import { takeIn } from "./support/takeIn.ts"

const receipts = Number(process.argv[2] ?? 2_000_000)
const rounds = 20
const years = 3

const print = (line: string): void => void process.stdout.write(`${line}\n`)
const server = await startPostgresServer("portal", { durable: true })
// The stage makes its database on this server.
process.env["OVERA_TEST_SERVER"] = server.url("postgres")
const { portalStage } = await import("../contract-tests/src/portal/portalStage.ts")
const { PortalClient } = await import("../contract-tests/src/portal/PortalClient.ts")
const { issueSale } = await import("../contract-tests/src/portal/issueSale.ts")

const stage = await portalStage()
const runtime = ManagedRuntime.make(Layer.provideMerge(
  Layer.mergeAll(layerJournalUpkeep, layerOperationStore),
  layerDatabase({ url: Redacted.make(stage.desk.database.url), applicationName: "bench", statementTimeoutMillis: 3_600_000 })
))

interface Figures {
  readonly name: string
  readonly median: number
  readonly p95: number
  readonly bytes: number
  readonly isFile: boolean
}

try {
  const client = await stage.desk.database.client()
  const { businessPremiseId, organizationId, taxpayerId } = stage.shop
  const shop = { organizationId, environment: "sandbox", taxpayerId, businessPremiseId } as Pick<Operation, "organizationId" | "environment" | "taxpayerId" | "businessPremiseId">
  const sale = await issueSale(stage)
  const pattern = { ...shop, organizationId: mintPlace().organizationId }
  await client.query("insert into organizations values ($1, 'Узорци', now())", [pattern.organizationId])
  await runtime.runPromise(storePatterns(pattern))
  const startedAt = performance.now()
  const past = { days: 365 * years, statuses: ["FISCALIZED"] } as const
  const advances = Math.ceil(receipts / 100)
  await multiplyDocuments(client, pattern, shop, { ...past, count: receipts - advances, invoiceTypes: InvoiceType.literals.filter((type) => type !== "ADVANCE") })
  await multiplyDocuments(client, pattern, shop, { ...past, count: advances, invoiceTypes: ["ADVANCE"] })
  print(`${receipts} receipts in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`)
  await takeIn(client, (effect) => runtime.runPromise(effect))

  const portal = new PortalClient(() => stage.portal.url)
  const owner = await stage.session(stage.people.OWNER)
  const operator = await stage.session(stage.people.OPERATOR)
  const home = `/operator/organizations/${organizationId}`
  await portal.send(`${home}/open`, operator, { reason: "measuring", back: home })

  const { rows: [some] } = await client.query(
    `select (select operation_id from operations where organization_id = $1 and status = 'FISCALIZED' and invoice_type = 'NORMAL' order by created_at limit 1) as old,
       (select invoice_number from operations where organization_id = $1 and invoice_number is not null order by created_at limit 1) as number,
       (select total_amount from operations where organization_id = $1 and invoice_type = 'NORMAL' order by created_at limit 1) as amount,
       (select element_id from security_elements where organization_id = $1 limit 1) as element`, [organizationId])
  const names: Readonly<Record<string, string>> = {
    id: organizationId, taxpayer: taxpayerId, premise: businessPremiseId, element: some.element, client: stage.shop.clientId, environment: "sandbox", operation: sale.id, format: "pdf-80mm"
  }
  const day = (daysAgo: number): string => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)
  const place = (path: string): string =>
    path.startsWith("/receipts/:id") ? path.replace(":id", sale.id).replace(":format", "pdf-80mm") : path.replaceAll(/:(\w+)/g, (_, name: string) => names[name] ?? crypto.randomUUID())
  const asked: ReadonlyArray<string> = [
    `/receipts/${some.old}`,
    "/receipts?text=secer",
    "/receipts?text=secer+7",
    "/receipts?text=qwertz",
    `/receipts?text=${some.number}`,
    "/receipts?status=REJECTED",
    `/receipts?text=${String(some.number).slice(4)}`,
    `/receipts?amountFrom=${some.amount}&amountTo=${some.amount}&from=${day(30)}`,
    "/receipts?amountFrom=1,11&amountTo=1,11",
    `/receipts?from=${day(3)}&to=${day(2)}&sort=-amount`,
    "/receipts?sort=-amount",
    `/receipts?from=${day(731)}&to=${day(730)}`,
    `/reports?from=${day(30)}&to=${day(0)}&groupBy=day`,
    `/reports?from=${day(30)}&to=${day(0)}&groupBy=taxLabel&groupBy=paymentType`,
    `/reports?from=${day(365)}&to=${day(0)}&groupBy=month`,
    `/reports?from=${day(365)}&to=${day(0)}&groupBy=day`,
    `/reports?from=${day(365)}&to=${day(0)}&groupBy=cashier`,
    `/activity?text=credential`,
    `/operator/activity?organization=${organizationId}`
  ]
  const routes = pageFolders.flatMap((folder) => folder.routes).filter(({ method }) => method === "GET")
  const pages = [...routes.map(({ path }) => place(path)), ...asked]

  const lastMillis = (): number => {
    const line = stage.log.findLast((it) => it.includes("\"event\":\"request\""))
    return (JSON.parse(line ?? "{\"ms\":-1}") as { readonly ms: number }).ms
  }
  const measurePage = async (path: string): Promise<Figures> => {
    const session = path.startsWith("/operator") ? operator : owner
    const times: Array<number> = []
    let bytes = 0
    let isFile = false
    for (let round = -2; round < rounds; round++) {
      const answer = await portal.get(path, { session })
      if (answer.status >= 500) throw new Error(`${path} answered ${answer.status}: ${stage.log.at(-1)}`)
      bytes = Buffer.byteLength(answer.text)
      isFile = answer.headers["content-disposition"] !== undefined || path.startsWith("/receipts/export/")
      if (isFile && round < 0) round = rounds - 2
      if (round >= 0) times.push(lastMillis())
    }
    return { name: path, median: median(times), p95: p95(times), bytes, isFile }
  }
  // A portal that has run for a while, so its code is compiled. Nobody of this organization has opened the overview for five minutes.
  const stranger = await stage.session(stage.people.OTHER)
  for (let round = 0; round < 20; round++) await portal.get("/", { session: stranger })
  await portal.get("/", { session: owner })
  const unremembered = lastMillis()
  print(`the first page while figures of past days are not remembered: ${unremembered} ms`)
  for (const path of [...pages, ...pages]) await portal.get(path, { session: path.startsWith("/operator") ? operator : owner })
  expectAtMost("the first page while nothing is remembered", unremembered, 300)
  print(`${"page".padEnd(96)}  median     p95       kB`)
  for (const path of pages) {
    const it = await measurePage(path)
    print(`${it.name.padEnd(96)}${it.median.toFixed(0).padStart(8)}${it.p95.toFixed(0).padStart(8)}${(it.bytes / 1_000).toFixed(1).padStart(9)}${it.isFile ? "  file" : ""}`)
    if (it.isFile) continue
    expectAtMost(`p95 of ${path}`, it.p95, 100)
    expectAtMost(`bytes of ${path}`, it.bytes, 50_000)
    if (path !== "/") continue
    const style = /href="(\/assets\/[^"]+\.css)"/.exec((await portal.get("/", { session: owner })).text)?.[1] ?? ""
    expectAtMost("the first page with its style sheet, in bytes", it.bytes + Buffer.byteLength((await portal.get(style)).text), 50_000)
  }
} finally {
  await runtime.dispose()
  await stage.close()
  await server.destroy()
}
