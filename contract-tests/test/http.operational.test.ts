import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { accessToken } from "../src/support/accessToken.ts"
import { bookSale } from "../src/support/shopCaller.ts"
import { type WholeInstallation, wholeInstallation } from "../src/support/wholeInstallation.ts"

let installation: WholeInstallation
let token: string

const get = (path: string) => fetch(installation.api.url + path)

const ready = async () => {
  const answer = await get("/health/ready")
  return { status: answer.status, ...await answer.json() as { readonly ready: boolean; readonly reasons: ReadonlyArray<string>; readonly notes: ReadonlyArray<string> } }
}

/** The value of one series of `/metrics`; undefined when it is not there. */
const sample = async (series: string): Promise<number | undefined> => {
  const lines = (await (await get("/metrics")).text()).split("\n")
  const line = lines.find((it) => it.startsWith(`${series} `))
  return line === undefined ? undefined : Number(line.slice(series.length + 1))
}

const sell = (reference: string) =>
  fetch(`${installation.api.url}/v1/fiscal-documents`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", "Idempotency-Key": `operational-${reference}` },
    body: JSON.stringify(bookSale(installation.shop, reference))
  })

beforeAll(async () => {
  installation = await wholeInstallation()
  token = await accessToken(installation.api, installation.shop)
})
afterAll(() => installation.close())

describe("health", () => {
  it("a host with a store, its schema and a V-PFR is ready, and notes what an operator should know", async () => {
    expect((await get("/health/live")).status).toBe(200)
    expect(await ready()).toEqual({ status: 200, ready: true, reasons: [], notes: ["production: traffic is switched off", "production: no ESIR number yet"] })
  })

  it("says which steps of the schema are missing, and which certificates end soon", async () => {
    const client = await installation.desk.database.client()
    const { rows } = await client.query("delete from schema_migrations where number = 10 returning *")
    await expect.poll(ready, { timeout: 5_000 }).toMatchObject({ status: 503, reasons: ["the schema lacks the steps 10"] })
    await client.query("insert into schema_migrations (number, name, digest) values (10, $1, $2)", [rows[0].name, rows[0].digest])
    await client.query("update security_elements set valid_to = now() + interval '10 days'")
    await expect.poll(async () => (await ready()).notes, { timeout: 5_000 }).toContain("sandbox: 1 active certificate(s) end within 60 days, the first in 9")
    await expect.poll(() => sample("overa_certificate_days_left{environment=\"sandbox\"}"), { timeout: 10_000 }).toBe(9)
  })
})

describe("metrics", () => {
  it("split a sale's time into ours and the V-PFR's, and count what became of it", async () => {
    await installation.desk.simulator.addFault({ fault: "delay", ms: 300, times: 1 })
    expect((await sell("order-1-0123456789")).status).toBe(201)
    const route = "{route=\"/v1/fiscal-documents\"}"
    await expect.poll(() => sample("overa_submissions_total{status=\"FISCALIZED\"}")).toBe(1)
    const [vpfr = 0, own = 0] = [await sample(`overa_vpfr_seconds_sum${route}`), await sample(`overa_own_seconds_sum${route}`)]
    expect(vpfr).toBeGreaterThan(0.3)
    expect(await sample("overa_request_seconds_sum{method=\"POST\",route=\"/v1/fiscal-documents\",status=\"201\"}")).toBeCloseTo(vpfr + own, 6)
    const entry = installation.log.map((line) => JSON.parse(line) as Record<string, unknown>).find((it) => it["route"] === "/v1/fiscal-documents")
    expect(entry).toMatchObject({ status: 201, submissions: ["Signed"] })
  })

  it("count unknown outcomes with the age of the oldest, and items for attention", async () => {
    await installation.desk.simulator.addFault({ fault: "search-unavailable" })
    await installation.desk.simulator.addFault({ fault: "foreign-answer", times: 1 })
    expect((await sell("order-2-0123456789")).status).toBe(503)
    const unknown = async () => (await sample("overa_unresolved_operations{environment=\"sandbox\",status=\"OUTCOME_UNKNOWN\"}") ?? 0) +
      (await sample("overa_unresolved_operations{environment=\"sandbox\",status=\"RECONCILING\"}") ?? 0)
    await expect.poll(unknown, { timeout: 15_000 }).toBe(1)
    expect(await sample("overa_attention_open")).toBe(1)
    expect(await sample("overa_store_up")).toBe(1)
    await installation.desk.simulator.clearFaults()
  })
})

describe("[proves:FISCAL_DOCUMENT_UNREADABLE] a stored document that cannot be read", () => {
  const request = (method: string, path: string, key?: string, body?: unknown) =>
    fetch(installation.api.url + path, {
      method,
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", ...(key === undefined ? {} : { "Idempotency-Key": key }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
  const signedSoFar = async () => (await (await fetch(`${installation.desk.simulator.controlUrl}/receipts?limit=0`)).json() as { readonly count: number }).count

  it("is named to who asks for it by its id or its key, nothing is sent in its place, and an operator is told once", async () => {
    const { id } = await (await sell("order-3-0123456789")).json() as { readonly id: string }
    const poisoned = await (await sell("order-4-0123456789")).json() as { readonly id: string }
    const client = await installation.desk.database.client()
    // A change by other means: the schema itself refuses to change a document.
    await client.query("set session_replication_role = replica")
    await client.query("update operations set content = '{\"invoiceType\":\"NONE\"}' where operation_id = $1", [poisoned.id])
    await client.query("set session_replication_role = origin")
    const expected = { code: "FISCAL_DOCUMENT_UNREADABLE", operationId: poisoned.id }
    const before = await signedSoFar()
    const answers = [
      await request("GET", `/v1/fiscal-documents/${poisoned.id}`),
      await request("GET", `/v1/operations/${poisoned.id}`),
      await request("GET", `/v1/fiscal-documents/${poisoned.id}/representations/pdf-a4`),
      await request("GET", "/v1/journal"),
      await sell("order-4-0123456789"),
      await request("POST", `/v1/fiscal-documents/${poisoned.id}/copies`, "copy-of-the-unreadable", { cashier: { id: "web" } }),
      await request("POST", "/v1/receipt-deliveries", "delivery-of-the-unreadable", { fiscalDocumentId: poisoned.id, recipient: "kupac@example.rs" })
    ]
    for (const answer of answers) {
      expect([answer.url, answer.status, await answer.json()]).toMatchObject([answer.url, 500, expected])
    }
    expect(await signedSoFar()).toBe(before)
    expect((await request("GET", `/v1/fiscal-documents/${id}`)).status).toBe(200)
    const open = async () => (await client.query("select attention_id from attention where operation_id = $1 and acknowledged_at is null", [poisoned.id])).rows
    expect(await open()).toHaveLength(1)
    await expect.poll(() => sample("overa_unreadable_operations"), { timeout: 10_000 }).toBe(1)
    // Acknowledged without a repair, it is raised again by the next read.
    await client.query("update attention set acknowledged_at = now(), acknowledged_by = 'operator' where operation_id = $1", [poisoned.id])
    await expect.poll(() => sample("overa_unreadable_operations"), { timeout: 10_000 }).toBe(0)
    await request("GET", `/v1/fiscal-documents/${poisoned.id}`)
    expect(await open()).toHaveLength(1)
  })
})
