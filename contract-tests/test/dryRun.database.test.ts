import { restApiConfig, type RunningRestApi, startRestApi } from "@overa/rest-api"
import { ConfigProvider, Effect } from "effect"
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, expect, it } from "vitest"
import { VpfrControl } from "../src/http/VpfrControl.ts"
import { accessToken } from "../src/support/accessToken.ts"
import type { OperatorDesk } from "../src/support/operatorDesk.ts"
import type { Shop } from "../src/support/openShop.ts"
import { shopDesk } from "../src/support/shopDesk.ts"

let desk: OperatorDesk
let shop: Shop
let api: RunningRestApi
let token: string

beforeAll(async () => {
  ;({ desk, shop } = await shopDesk())
  const settings = { ...desk.environment, PORT: "0", OVERA_LISTEN_HOST: "127.0.0.1", OVERA_HOST_ID: "api-1" }
  const config = await Effect.runPromise(restApiConfig.pipe(Effect.provide(ConfigProvider.layer(ConfigProvider.fromUnknown(settings)))))
  api = await startRestApi(config, () => undefined)
  token = await accessToken(api, shop)
})
afterAll(async () => {
  await api.stop()
  await desk.close()
})

const sale = (taxLabels: ReadonlyArray<string>) => ({
  taxpayerId: shop.taxpayerId,
  businessPremiseId: shop.businessPremiseId,
  clientReference: "order-1",
  invoiceType: "NORMAL",
  transactionType: "SALE",
  cashier: { id: "web" },
  items: [{ name: "Књига", unitOfMeasure: "ком", quantity: 3, unitPrice: 333.33, taxLabels }],
  payments: [{ type: "CARD", amount: 999.99 }]
})

const post = async (path: string, body: unknown) => {
  const answer = await fetch(`${api.url}${path}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", "Idempotency-Key": randomUUID() },
    body: JSON.stringify(body)
  })
  return { status: answer.status, json: await answer.json() as Readonly<Record<string, unknown>> & { readonly pfr: { readonly journal: string } } }
}
const dryRun = (labels: ReadonlyArray<string>) => post("/v1/fiscal-documents/dry-run", sale(labels))

/** From now on the database refuses every writing statement on new connections; the old ones are closed. */
const makeReadOnly = async (): Promise<void> => {
  const client = await desk.database.client()
  const name = new URL(desk.database.url).pathname.slice(1)
  await client.query(`alter database ${name} set default_transaction_read_only = on`)
  await client.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()", [name])
}

it("writes nothing and sends no document: a database that refuses every write tells a dry run from a sale", async () => {
  const control = new VpfrControl(desk.simulator.controlUrl)
  const issued = await post("/v1/fiscal-documents", sale(["A"]))
  expect(issued.status).toBe(201)
  await makeReadOnly()
  await expect.poll(async () => (await dryRun(["A"])).status, { timeout: 10_000 }).toBe(200)
  const tried = await dryRun(["A"])
  const textOf = (journal: unknown) => String(journal).slice(String(journal).indexOf("ПРОМЕТ"), String(journal).indexOf("Ознака")).replace(/ +ОВО НИЈЕ ФИСКАЛНИ РАЧУН +\r\n=+\r\n/, "")
  expect(textOf(tried.json["journalPreview"])).toBe(textOf(issued.json.pfr.journal))
  expect(await dryRun(["Љ"])).toMatchObject({ status: 422, json: { code: "TAX_LABEL_NOT_CURRENT" } })
  expect(await post("/v1/fiscal-documents", sale(["A"]))).toMatchObject({ status: 503, json: { code: "STORE_UNAVAILABLE" } })
  expect(await control.receipts()).toHaveLength(1)
})
