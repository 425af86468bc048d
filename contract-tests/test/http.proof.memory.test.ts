import { beforeEach, describe, expect, it } from "vitest"
import { sampleRefund } from "../src/http/sampleRefund.ts"
import { sampleSale } from "../src/http/sampleSale.ts"
import { sharedMemoryApi } from "../src/support/sharedMemoryApi.ts"

const path = "/v1/fiscal-documents"

describe("the proof of a document of every status", () => {
  const { api, memory } = sharedMemoryApi()
  beforeEach(() => {
    memory.authority.mood = "sign"
  })
  const proofOf = async (id: string) => (await api.get(`${path}/${id}/proof`)).json

  it.each([
    ["reject", "REJECTED", ["REJECTED"]],
    ["unavailable", "NOT_FISCALIZED", []],
    ["cancelled", "NOT_FISCALIZED", ["NOT_SENT"]],
    ["silent", "OUTCOME_UNKNOWN", ["NO_ANSWER"]],
    ["sign", "FISCALIZED", ["SIGNED"]]
  ] as const)("%s: %s", async (mood, status, outcomes) => {
    memory.authority.mood = mood
    const { json: document } = await api.post(path, sampleSale(api.target))
    const proof = await proofOf(document.id)
    expect(proof.document).toEqual(document)
    expect(proof.document.status).toBe(status)
    expect(proof.attempts.map(({ outcome }: { readonly outcome: string }) => outcome)).toEqual(outcomes)
    expect(proof.transitions.at(-1).to).toBe(status)
    // Only what decided the document is its answer: a rejection too, but nothing for an unknown outcome.
    const decided = status === "REJECTED" || status === "FISCALIZED"
    expect(proof.answer === null ? null : Buffer.from(proof.answer.text, "base64").toString()).toBe(decided ? "{}" : null)
    expect(proof.answer?.verification ?? null).toBeNull()
  })

  it("is checked by a page of the host that is one file and may connect to nothing", async () => {
    const page = await fetch(`${memory.target.baseUrl}/verify`)
    const html = await page.text()
    const policy = page.headers.get("content-security-policy") ?? ""
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"])
    expect(policy).toMatch(/^default-src 'none'; script-src 'sha256-[^']+' 'wasm-unsafe-eval'; style-src 'sha256-[^']+'; img-src blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/)
    expect(html).toContain(`content="${policy.replace("; frame-ancestors 'none'", "")}"`)
    expect(html).not.toMatch(/<(?:script|link|img|iframe)[^>]+(?:src|href)=/)
  })

  it("while it is being sent: nothing is answered yet", async () => {
    let release = () => undefined as void
    memory.authority.mood = { waitFor: new Promise<void>((resolve) => (release = resolve)) }
    const before = memory.authority.arrived.length
    const sending = api.post(path, sampleSale(api.target, { clientReference: "in-flight" }))
    await expect.poll(() => memory.authority.arrived.length).toBe(before + 1)
    const { json } = await api.get("/v1/journal?clientReference=in-flight")
    const proof = await proofOf(json.items[0].id)
    expect(proof).toMatchObject({ document: { status: "SUBMITTING" }, answer: null, journal: null, attempts: [{ outcome: null }] })
    release()
    expect((await sending).status).toBe(201)
  })

  it("a copy of a cash refund carries the request of the refund that caused it", async () => {
    const issued = await api.post(path, { ...sampleSale(api.target), payments: [{ type: "CASH", amount: 2401 }] })
    const body = sampleRefund(api.target, issued.json.id, { type: "CASH" })
    const refunded = await api.post("/v1/refund-workflows", body)
    expect(refunded.status, refunded.text).toBe(201)
    const copy = refunded.json.cashRefundCopy
    const proof = await proofOf(copy.id)
    expect(proof.request).toMatchObject({ method: "POST", path: "/v1/refund-workflows", received: JSON.stringify(body) })
    expect(proof.document.invoiceType).toBe("COPY")
  })
})
