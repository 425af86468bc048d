import { acknowledge } from "@overa/adapter-memory"
import type { FiscalDocumentId } from "@overa/domain"
import { checkFiles, nothingKnown } from "@overa/verify/files"
import { DateTime } from "effect"
import { beforeEach, describe, expect, it } from "vitest"
import { sampleRefund } from "../src/http/sampleRefund.ts"
import { sampleSale } from "../src/http/sampleSale.ts"
import { newKey } from "../src/support/ApiClient.ts"
import { sharedMemoryApi } from "../src/support/sharedMemoryApi.ts"

const path = "/v1/fiscal-documents"

/** What callers are told of a document about which an item is open that says that there may be a receipt which it does not have. */
describe("a document in doubt", () => {
  const { api, memory } = sharedMemoryApi()
  beforeEach(() => void Object.assign(memory.authority, { mood: "sign" }))

  const storedOf = (id: string) => {
    const stored = memory.operations.byId.get(id as FiscalDocumentId)
    if (stored === undefined) throw new Error("it is not stored")
    return stored
  }
  const raise = (id: string) =>
    void storedOf(id).attention.push({ kind: "LOST_ATTEMPT", detail: "lost", evidence: null, at: DateTime.nowUnsafe(), isAcknowledged: false })
  const listed = async (status: string, reference: string) => {
    const { json } = await api.get(`/v1/journal?status=${status}&clientReference=${reference}`)
    return json.items.map((item: { readonly id: string }) => item.id)
  }

  it.each([["unavailable", "NOT_FISCALIZED"], ["reject", "REJECTED"]] as const)("%s: is unknown in every answer, and %s again when the item is acknowledged", async (mood, status) => {
    memory.authority.mood = mood
    const [key, reference] = [newKey(), `DOUBT-${mood}`]
    const send = () => api.post(path, { ...sampleSale(api.target), clientReference: reference }, { key })
    const first = await send()
    expect(first.json.status).toBe(status)
    const { id } = first.json
    raise(id)
    memory.authority.mood = "sign"
    const signed = memory.authority.signed.length
    const replay = await send()
    expect([replay.status, replay.json]).toEqual([503, expect.objectContaining({ id, status: "OUTCOME_UNKNOWN", failureCode: "OUTCOME_UNKNOWN", retryable: false, fiscalized: false })])
    expect(replay.json).not.toHaveProperty("pfrRejection")
    expect(memory.authority.signed).toHaveLength(signed)
    expect((await api.get(`${path}/${id}`)).json).toEqual(replay.json)
    const operation = (await api.get(`/v1/operations/${id}`)).json
    expect(operation.status).toBe("OUTCOME_UNKNOWN")
    expect(operation.summary).toContain("a receipt may exist")
    expect(await listed("OUTCOME_UNKNOWN", reference)).toEqual([id])
    expect(await listed(status, reference)).toEqual([])
    const proof = await api.get(`${path}/${id}/proof`)
    expect(proof.json.document).toEqual(replay.json)
    expect(proof.json.answer).toBeNull()
    const { findings } = (await checkFiles([{ name: "proof.json", bytes: new TextEncoder().encode(proof.text) }], nothingKnown, async () => null))[0] ?? { findings: [] }
    expect(findings.filter(({ verdict }) => verdict === "CONTRADICTED")).toEqual([])
    expect(findings.find(({ subject }) => subject === "documentInDoubt")?.values).toEqual([status])
    acknowledge(memory.operations, id, "LOST_ATTEMPT")
    expect((await api.get(`${path}/${id}`)).json).toEqual(first.json)
    expect((await send()).json.status).toBe(status === "REJECTED" ? "REJECTED" : "FISCALIZED")
  })

  it("a refund that was not sent is unknown in its workflow, and does not ask for a new key", async () => {
    const sale = await api.post(path, sampleSale(api.target))
    memory.authority.mood = "unavailable"
    const refund = await api.post("/v1/refund-workflows", sampleRefund(api.target, sale.json.id))
    expect([refund.json.status, refund.json.refund.status]).toEqual(["FAILED", "NOT_FISCALIZED"])
    raise(refund.json.refund.id)
    const read = (await api.get(`/v1/refund-workflows/${refund.json.id}`)).json
    expect([read.status, read.refund.status, read.refund.retryable]).toEqual(["REFUND_OUTCOME_UNKNOWN", "OUTCOME_UNKNOWN", false])
    expect((await api.get(`/v1/operations/${refund.json.refund.id}`)).json.summary).not.toContain("new key")
  })
})
