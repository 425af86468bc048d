import { noDeliverySettings } from "@overa/domain"
import { beforeAll, describe, expect, it } from "vitest"
import { keyedKinds } from "../src/http/keyedRequests.ts"
import { sampleSale } from "../src/http/sampleSale.ts"
import { type ApiAnswer, newKey } from "../src/support/ApiClient.ts"
import { sharedMemoryApi } from "../src/support/sharedMemoryApi.ts"

/** The seconds that an answer without a receipt names, by what the V-PFR did. Source: Spec, Client handling rules 2 and 3. */
const seconds = { silent: "30", fault: "30", unavailable: "2", elementUnavailable: "2", cancelled: "2", reject: null } as const
type Mood = keyof typeof seconds
const moods = Object.keys(seconds) as ReadonlyArray<Mood>
const ofEachKind: ReadonlyArray<Mood> = ["silent", "unavailable", "reject"]

/** A refund that was never sent is over (Decisions §3). */
const secondsOf = (operation: string, mood: Mood) => operation === "refundSale" && seconds[mood] === "2" ? null : seconds[mood]

describe("every kind of request with a key", () => {
  const { api, memory } = sharedMemoryApi()
  beforeAll(() => {
    for (const shop of Object.values(memory.shops)) memory.deliveries.settings.set(shop.place.taxpayer.id, { ...noDeliverySettings, enabled: true })
  })
  const said = ({ headers, status }: ApiAnswer) => ({
    status,
    retryAfter: headers.get("retry-after"),
    asks: headers.has("location"),
    replayed: headers.get("idempotency-replayed") === "true"
  })

  const cases = keyedKinds.filter(({ operation }) => operation !== "openAdvanceCase" && operation !== "deliverReceipt")
    .flatMap((kind) => (["a sale", "a refund"].includes(kind.name) ? moods : ofEachKind).map((mood) => [kind.name, mood, kind] as const))

  it.each(cases)("%s, the V-PFR being %s: says when and where to ask, and that a repeat is one", async (name, mood, kind) => {
    memory.authority.mood = "sign"
    const { body, path } = await kind.prepare(api)
    const key = newKey()
    memory.authority.mood = mood
    const first = await api.post(path, body, { key })
    // A closing whose Advance Refund is rejected answers about its final sale, which was never sent.
    const status = mood === "reject" && name !== "a closing" ? 422 : 503
    const expected = { status, retryAfter: secondsOf(kind.operation, mood), asks: status === 503, replayed: false }
    expect(said(first)).toEqual(expected)
    memory.authority.mood = "sign"
    if (expected.asks) {
      const asked = await api.get(first.headers.get("location") ?? "")
      expect(asked.status).toBe(200)
      expect(first.text).toContain(asked.json.id)
    }
    const again = await api.post(path, body, { key })
    if (expected.retryAfter === "2") return expect(said(again)).toEqual({ status: 201, retryAfter: null, asks: true, replayed: false })
    expect([said(again), again.json]).toEqual([{ ...expected, replayed: true }, first.json])
  })

  it.each(keyedKinds.map((kind) => [kind.name, kind] as const))("%s, done and repeated, is a replay by its header", async (_name, kind) => {
    memory.authority.mood = "sign"
    const { body, path } = await kind.prepare(api)
    const key = newKey()
    expect(said(await api.post(path, body, { key }))).toEqual({ status: 201, retryAfter: null, asks: true, replayed: false })
    expect(said(await api.post(path, body, { key }))).toEqual({ status: 200, retryAfter: null, asks: false, replayed: true })
  })

  it("[proves:PROFORMA_TRAINING_WORKFLOW_RESERVATION_CONFLICT] a refund of a proforma that waits for another one is told when and where to ask for that", async () => {
    memory.authority.mood = "sign"
    const path = "/v1/proforma-training-workflows"
    const offer = { ...sampleSale(api.target), invoiceType: "PROFORMA" }
    const { json: source } = await api.post(path, offer)
    const refund = { ...offer, transactionType: "REFUND", buyer: { id: "20:123456789" }, reference: { source: "SVC", fiscalDocumentId: source.document.id } }
    memory.authority.mood = "silent"
    const first = await api.post(path, refund)
    memory.authority.mood = "sign"
    const second = await api.post(path, refund)
    expect([second.json.code, said(second)]).toEqual(["PROFORMA_TRAINING_WORKFLOW_RESERVATION_CONFLICT", { status: 409, retryAfter: "30", asks: true, replayed: false }])
    expect((await api.get(second.headers.get("location") ?? "")).json.id).toBe(first.json.id)
  })
})
