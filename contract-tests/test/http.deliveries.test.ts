import { OveraClient, RequestInvalid, RequestRefused } from "@overa/client"
import { noDeliverySettings } from "@overa/domain"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { sampleRefund } from "../src/http/sampleRefund.ts"
import { sampleSale } from "../src/http/sampleSale.ts"
import { ApiClient, newKey } from "../src/support/ApiClient.ts"
import { type MemoryApi, startMemoryApi } from "../src/support/memoryApi.ts"
import { memoryLicense } from "../src/support/memoryTenancy.ts"

const path = "/v1/receipt-deliveries"

/** Deliveries from the caller's view; the contract checker compares every answer with the published contract. */
describe("receipts by e-mail over HTTP", () => {
  let memory: MemoryApi
  let api: ApiClient
  let receipt: string
  const sell = async (): Promise<string> => {
    const credential = api.target.production
    return (await api.post("/v1/fiscal-documents", sampleSale(api.target, { of: credential, environment: "production" }), { credential })).json.id
  }
  beforeAll(async () => {
    memory = await startMemoryApi()
    api = await ApiClient.of(memory.target)
    for (const shop of Object.values(memory.shops)) memory.deliveries.settings.set(shop.place.taxpayer.id, { ...noDeliverySettings, enabled: true, locale: "en" })
    receipt = (await api.post("/v1/fiscal-documents", sampleSale(api.target))).json.id
  })
  afterAll(() => memory.running.stop())
  beforeEach(() => {
    Object.assign(memory.authority, { mood: "sign", copyMood: null })
    Object.assign(memory.surroundings, { license: memoryLicense, store: true })
    Object.assign(memory.deliveries.transport, { configured: true, failures: 0, tryAt: 0 })
    memory.deliveries.settings.set(memory.shops.sandbox.place.taxpayer.id, { ...noDeliverySettings, enabled: true, locale: "en" })
  })
  const body = (change: Record<string, unknown> = {}) => ({ fiscalDocumentId: receipt, recipient: `kupac${Math.random()}@example.rs`.replace("0.", ""), ...change })

  it("queues a receipt and says where to look; the same request is the same delivery", async () => {
    const [key, asked] = [newKey(), body({ fiscalDocumentId: (await api.post("/v1/fiscal-documents", sampleSale(api.target))).json.id })]
    const first = await api.post(path, asked, { key })
    expect(first).toMatchObject({ status: 201, json: { recipient: asked.recipient, status: "QUEUED", attempts: 0, lastError: null } })
    expect(first.headers.get("location")).toBe(`${path}/${first.json.id}`)
    const again = await api.post(path, { ...asked, formats: null, locale: null }, { key })
    expect(again).toMatchObject({ status: 200, json: first.json })
    expect(again.headers.get("idempotency-replayed")).toBe("true")
    expect((await api.get(`${path}/${first.json.id}`)).json).toEqual(first.json)
    expect(memory.deliveries.kept.get(first.json.id)?.delivery).toMatchObject({ locale: "en", formats: ["pdf-a4"] })
  })

  it("a key is bound to its content, whether a delivery's or a document's", async () => {
    const key = newKey()
    const first = await api.post(path, body(), { key })
    expect(await api.post(path, body(), { key })).toMatchObject({ status: 409, json: { code: "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST", operationId: first.json.id } })
    const sold = newKey()
    const document = await api.post("/v1/fiscal-documents", sampleSale(api.target), { key: sold })
    expect(await api.post(path, body(), { key: sold })).toMatchObject({ status: 409, json: { code: "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST", operationId: document.json.id } })
  })

  it("[proves:RECEIPT_DELIVERY_NOT_FOUND] another's delivery is not there, nor is what no delivery is called", async () => {
    const { json } = await api.post(path, body())
    for (const id of [json.id.replace(/.$/, (digit: string) => (digit === "0" ? "1" : "0")), "15", receipt]) {
      expect(await api.get(`${path}/${id}`)).toMatchObject({ status: 404, json: { code: "RECEIPT_DELIVERY_NOT_FOUND" } })
    }
    expect(await api.get(`${path}/${json.id}`, api.target.other)).toMatchObject({ status: 404 })
    expect(await api.get(`${path}/${json.id}`, api.target.production)).toMatchObject({ status: 404 })
    expect((await api.get(path, api.target.other)).json.items).toEqual([])
  })

  it("refuses in the order of the checks: body, document, module, settings, receipt, transport", async () => {
    const none = "00000000-0000-7000-8000-000000000000"
    const refusal = async (change: Record<string, unknown>, credential = api.target.production) => {
      const { json, status } = await api.post(path, body(change), { credential })
      return `${status} ${json.code ?? Object.keys(json.errors ?? {}).join()}`
    }
    const taxpayer = memory.shops.production.place.taxpayer.id
    const document = await sell()
    memory.authority.mood = "reject"
    const rejected = await sell()
    memory.authority.mood = "sign"
    Object.assign(memory.deliveries.transport, { configured: false })
    memory.deliveries.settings.set(taxpayer, noDeliverySettings)
    memory.surroundings.license = { ...memoryLicense, modules: [] }
    expect(await refusal({ fiscalDocumentId: none, recipient: "nobody" })).toBe("422 Recipient")
    expect(await refusal({ fiscalDocumentId: none })).toBe("404 FISCAL_DOCUMENT_NOT_FOUND")
    expect(await refusal({ fiscalDocumentId: document })).toBe("403 MODULE_NOT_LICENSED")
    memory.surroundings.license = memoryLicense
    expect(await refusal({ fiscalDocumentId: rejected })).toBe("422 RECEIPT_DELIVERY_DISABLED")
    memory.deliveries.settings.set(taxpayer, { ...noDeliverySettings, enabled: true })
    expect(await refusal({ fiscalDocumentId: rejected })).toBe("422 RECEIPT_DELIVERY_DOCUMENT_NOT_FISCALIZED")
    expect(await refusal({ fiscalDocumentId: document })).toBe("503 RECEIPT_DELIVERY_UNAVAILABLE")
    Object.assign(memory.deliveries.transport, { configured: true, failures: 5 })
    const kept = memory.deliveries.kept.size
    expect(await refusal({ fiscalDocumentId: document })).toBe("503 RECEIPT_DELIVERY_UNAVAILABLE")
    expect(memory.deliveries.kept.size).toBe(kept)
    memory.deliveries.transport.failures = 0
    expect(await refusal({ fiscalDocumentId: document })).toBe("201 ")
  })

  it("sandbox is never asked for a module, and a refund and its copy are given to the buyer too", async () => {
    memory.surroundings.license = null
    const refund = await api.post("/v1/refund-workflows", sampleRefund(api.target, (await api.post("/v1/fiscal-documents", sampleSale(api.target))).json.id, { type: "CASH" }))
    for (const { id } of [refund.json.refund, refund.json.cashRefundCopy]) expect(await api.post(path, body({ fiscalDocumentId: id }))).toMatchObject({ status: 201 })
  })

  it("one document goes to ten mailboxes, and to none beyond", async () => {
    const fiscalDocumentId = (await api.post("/v1/fiscal-documents", sampleSale(api.target))).json.id
    const asked = Array.from({ length: 11 }, (_, index) => body({ fiscalDocumentId, recipient: `kupac${index}@example.rs` }))
    const answers = []
    for (const one of asked) answers.push(await api.post(path, one))
    expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 201), 422])
    expect(Object.keys(answers[10]?.json.errors)).toEqual(["Recipient"])
    expect(await api.post(path, body({ fiscalDocumentId, recipient: "KUPAC3@example.rs" }))).toMatchObject({ status: 201 })
  })

  it("lists page by page; wrong parameters are told all at once", async () => {
    const { json: all } = await api.get(`${path}?pageSize=200`)
    const seen: Array<string> = []
    let cursor: string | null = null
    do {
      const { json }: Awaited<ReturnType<typeof api.get>> = await api.get(`${path}?pageSize=3${cursor === null ? "" : `&cursor=${cursor}`}`)
      seen.push(...json.items.map(({ id }: { readonly id: string }) => id))
      cursor = json.nextCursor
    } while (cursor !== null)
    expect(seen).toEqual(all.items.map(({ id }: { readonly id: string }) => id))
    expect((await api.get(`${path}?recipient=KUPAC3%40EXAMPLE.rs`)).json.items).toHaveLength(2)
    const faultsOf = async (query: string) => Object.keys((await api.get(`${path}?${query}`)).json.errors).sort()
    expect(await faultsOf("recipient=x&createdFrom=yesterday")).toEqual(["CreatedFrom", "Recipient"])
    expect(await faultsOf("cursor=abc&status=SENT")).toEqual(["Cursor"])
    const { json } = await api.get(`${path}?pageSize=1`)
    expect(await faultsOf(`cursor=${json.nextCursor}&status=QUEUED`)).toEqual(["Cursor"])
  })

  it("an erased address is null, and nothing is sent again under its key", async () => {
    const [key, asked] = [newKey(), body()]
    const { json } = await api.post(path, asked, { key })
    const kept = memory.deliveries.kept.get(json.id)
    if (kept === undefined) throw new Error("it was queued")
    const { boundKey } = kept.delivery
    const erased = { ...kept.delivery, status: "SENT" as const, recipient: null, boundKey: { ...boundKey, body: "", fingerprint: { ...boundKey.fingerprint, digest: "" } } }
    memory.deliveries.kept.set(json.id, { ...kept, delivery: erased })
    expect(await api.get(`${path}/${json.id}`)).toMatchObject({ status: 200, json: { recipient: null, status: "SENT" } })
    expect(await api.post(path, asked, { key })).toMatchObject({ status: 409, json: { operationId: json.id } })
    expect(await api.get(`${path}?recipient=${encodeURIComponent(asked.recipient)}`)).toMatchObject({ status: 200, json: { items: [] } })
  })

  it("no address is in the log", async () => {
    await api.post(path, body({ recipient: "tajni.kupac@example.rs" }))
    expect(memory.log.join("\n")).toContain(path)
    expect(memory.log.join("\n")).not.toContain("tajni.kupac")
  })

  describe("by the client", () => {
    const client = () => {
      const { authUrl, baseUrl, clientId, clientSecret } = memory.target
      return new OveraClient({ baseUrl, authUrl, clientId, clientSecret, surroundings: { fetch, wait: async () => undefined } })
    }
    const asked = async () => ({ fiscalDocumentId: (await client().sale(sampleSale(api.target) as never).send()).id, recipient: "kupac@example.rs" })

    it("has its key before anything is sent; sent twice it is one delivery, found by its id and in the list", async () => {
      const [own, request] = [client(), await asked()]
      const prepared = own.deliver(request)
      expect(prepared.key.length).toBeGreaterThanOrEqual(16)
      expect(await own.call("listReceiptDeliveries", { query: { fiscalDocumentId: request.fiscalDocumentId } })).toMatchObject({ items: [] })
      const delivery = await prepared.send()
      expect(await prepared.send()).toEqual(delivery)
      expect(await client().deliver(request, prepared.key).send()).toEqual(delivery)
      expect(await own.call("readReceiptDelivery", { path: { receiptDeliveryId: delivery.id } })).toEqual(delivery)
      const page = await own.call("listReceiptDeliveries", { query: { fiscalDocumentId: request.fiscalDocumentId, status: "QUEUED" } })
      expect(page).toEqual({ items: [delivery], nextCursor: null })
    })

    it("goes from page to page", async () => {
      const [own, request] = [client(), await asked()]
      for (const recipient of ["a@example.rs", "b@example.rs", "c@example.rs"]) await own.deliver({ ...request, recipient }).send()
      const recipients: Array<string | null> = []
      let cursor: string | null = null
      do {
        const query = { fiscalDocumentId: request.fiscalDocumentId, pageSize: 2, ...(cursor === null ? {} : { cursor }) }
        const page: Awaited<ReturnType<typeof own.call<"listReceiptDeliveries">>> = await own.call("listReceiptDeliveries", { query })
        recipients.push(...page.items.map(({ recipient }) => recipient))
        cursor = page.nextCursor
      } while (cursor !== null)
      expect(recipients).toEqual(["c@example.rs", "b@example.rs", "a@example.rs"])
    })

    it("throws what the answer means: a wrong address, what is not there, deliveries switched off, another request under the key", async () => {
      const [own, request] = [client(), await asked()]
      const failureOf = (sent: Promise<unknown>) => sent.then(() => "answered", (error: unknown) => error)
      const invalid = await failureOf(own.deliver({ ...request, recipient: "nobody" }).send())
      expect(invalid).toBeInstanceOf(RequestInvalid)
      expect(Object.keys((invalid as RequestInvalid).problem.errors)).toEqual(["Recipient"])
      const codeOf = async (sent: Promise<unknown>) => ((await failureOf(sent)) as RequestRefused).code
      expect(await codeOf(own.call("readReceiptDelivery", { path: { receiptDeliveryId: receipt } }))).toBe("RECEIPT_DELIVERY_NOT_FOUND")
      const first = own.deliver(request)
      await first.send()
      expect(await codeOf(own.deliver({ ...request, locale: "en" }, first.key).send())).toBe("IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST")
      memory.deliveries.settings.set(memory.shops.sandbox.place.taxpayer.id, noDeliverySettings)
      expect(await codeOf(own.deliver(request).send())).toBe("RECEIPT_DELIVERY_DISABLED")
    })

    it("repeats under the same key while the installation has no mail server, as the answer says", async () => {
      const request = await asked()
      Object.assign(memory.deliveries.transport, { failures: 5 })
      const keys: Array<string | null> = []
      const { authUrl, baseUrl, clientId, clientSecret } = memory.target
      const own = new OveraClient({
        baseUrl, authUrl, clientId, clientSecret,
        surroundings: {
          fetch: (url, init) => {
            if (url.endsWith(path)) keys.push(new Headers(init.headers).get("Idempotency-Key"))
            return fetch(url, init)
          },
          wait: async () => {
            memory.deliveries.transport.failures = 0
          }
        }
      })
      const prepared = own.deliver(request)
      expect(await prepared.send()).toMatchObject({ status: "QUEUED" })
      expect(keys).toEqual([prepared.key, prepared.key])
    })
  })
})
