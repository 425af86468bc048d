import * as fc from "fast-check"
import { beforeEach, describe, expect, it } from "vitest"
import { advancePath, sampleCancellation, sampleCase, sampleClosing, samplePayment } from "../src/http/sampleAdvance.ts"
import { newKey } from "../src/support/ApiClient.ts"
import { sampleBuyerDetails } from "../src/support/sampleReceipts.ts"
import { sharedMemoryApi } from "../src/support/sharedMemoryApi.ts"
import type { AuthorityMood } from "../src/support/signingAuthority.ts"

/** One closing after another, from the caller's view: a closing belongs to the key that made it. */
describe("closings of one case under two keys", () => {
  const { api, memory } = sharedMemoryApi()
  beforeEach(() => void Object.assign(memory.authority, { mood: "sign", normalMood: null }))

  const external = { documentNumber: "AV-1", documentTime: "2026-01-10T10:00:00Z", amount: 100, taxAmount: 16.67 }
  const caseWithExternal = async (): Promise<string> =>
    (await api.post(advancePath, sampleCase(api.target, { externalAdvance: external }))).json.id
  const paidCase = async (): Promise<string> => {
    const { json } = await api.post(advancePath, sampleCase(api.target))
    await api.post(`${advancePath}/${json.id}/payments`, samplePayment(api.target, 100))
    return json.id
  }
  const closer = (id: string, key = newKey()) => (total: number) =>
    api.post(`${advancePath}/${id}/closing`, sampleClosing(api.target, total, total - 100), { key })

  it("each document of a closing names the case's company, also where the closing adds an optional field only", async () => {
    memory.surroundings.companies = new Map([["101670560", sampleBuyerDetails]])
    const company = "10:101670560"
    for (const buyer of [undefined, { id: company, optionalField: "20:1" }, { optionalField: "20:1" }]) {
      for (const own of [true, false]) {
        const { json: { id } } = await api.post(advancePath, sampleCase(api.target, { buyer: { id: company }, ...(own ? {} : { externalAdvance: external }) }))
        if (own) await api.post(`${advancePath}/${id}/payments`, samplePayment(api.target, 100))
        const { json } = await api.post(`${advancePath}/${id}/closing`, sampleClosing(api.target, 150, 50, buyer === undefined ? {} : { buyer }))
        expect([json.state, json.finalSale.buyerId]).toEqual(["CLOSED", company])
        expect(json.finalSale.buyerDetails).toMatchObject({ legalName: sampleBuyerDetails.legalName })
        if (own) expect(json.advanceRefund.buyerDetails).toMatchObject({ legalName: sampleBuyerDetails.legalName })
      }
    }
  })

  it("the repetition of a rejected closing sends nothing of a later closing", async () => {
    const id = await caseWithExternal()
    const [first, second] = [closer(id), closer(id)]
    memory.authority.normalMood = "reject"
    const rejected = await first(150)
    expect([rejected.status, rejected.json.finalSale.status]).toEqual([422, "REJECTED"])
    memory.authority.normalMood = "unavailable"
    const unsent = await second(160)
    expect(unsent.json).toMatchObject({ state: "AWAITING_OUTCOME", finalSale: { status: "NOT_FISCALIZED", retryable: true } })
    memory.authority.normalMood = null
    const signed = memory.authority.signed.length
    const again = await first(150)
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([422, "true"])
    expect(again.json).toMatchObject({ state: "AWAITING_OUTCOME", current: rejected.json.current, finalSale: unsent.json.finalSale })
    expect(memory.authority.signed).toHaveLength(signed)
    const closed = await second(160)
    expect([closed.status, closed.json.state]).toEqual([201, "CLOSED"])
    expect(memory.authority.signed).toHaveLength(signed + 1)
  })

  it("a closing that has sent nothing passes the licence gate again, by its own key", async () => {
    const { labels, production } = api.target
    const { businessPremiseId, taxpayerId } = production
    const opened = await api.post(advancePath, sampleCase(api.target, { taxpayerId, businessPremiseId, externalAdvance: external }), { credential: production })
    const items = [{ ...sampleClosing(api.target, 150, 50).items[0], taxLabels: [labels.production] }]
    const close = (key: string) =>
      api.post(`${advancePath}/${opened.json.id}/closing`, sampleClosing(api.target, 150, 50, { items }), { key, credential: production })
    const key = newKey()
    memory.authority.normalMood = "unavailable"
    expect((await close(key)).json.finalSale).toMatchObject({ status: "NOT_FISCALIZED" })
    memory.authority.normalMood = null
    const { license } = memory.surroundings
    memory.surroundings.license = null
    const refused = await close(key)
    memory.surroundings.license = license
    expect([refused.status, refused.json.code]).toEqual([403, "LICENSE_REQUIRED"])
    expect((await close(key)).json.state).toBe("CLOSED")
  })

  it("a final sale after a kept Advance Refund is due at once where its element could not be opened", async () => {
    const id = await paidCase()
    memory.authority.normalMood = "reject"
    const rejected = await closer(id)(150)
    expect(rejected.json).toMatchObject({ advanceRefund: { status: "FISCALIZED" }, finalSale: { status: "REJECTED" } })
    Object.assign(memory.authority, { mood: "elementUnavailable", normalMood: null })
    const unsent = await closer(id)(160)
    expect(unsent.json.finalSale).toMatchObject({ status: "NOT_FISCALIZED", failureCode: "PFR_SECURITY_ELEMENT_UNAVAILABLE" })
    const operation = await api.get(`/v1/operations/${unsent.json.finalSale.id}`)
    expect(operation.json.nextCheckAt).not.toBeNull()
  })

  it("refuses payments that the V-PFR would reject before anything is signed", async () => {
    const id = await paidCase()
    const signed = memory.authority.signed.length
    const remainingPayments = [{ type: "CASH", amount: 100.005 }, { type: "CARD", amount: 99.995 }]
    const close = (payments: ReadonlyArray<unknown>) =>
      api.post(`${advancePath}/${id}/closing`, sampleClosing(api.target, 300, 200, { remainingPayments: payments }))
    const refused = await close(remainingPayments)
    expect(refused.status).toBe(422)
    expect(refused.json.details.map(({ pointer }: { readonly pointer: string }) => pointer)).toEqual(["/remainingPayments/0/amount", "/remainingPayments/1/amount"])
    expect(memory.authority.signed).toHaveLength(signed)
    expect((await api.get(`${advancePath}/${id}`)).json).toMatchObject({ state: "OPEN", advanceRefund: null, finalSale: null })
    expect((await close([{ type: "CASH", amount: 100 }, { type: "CARD", amount: 100 }])).json.state).toBe("CLOSED")
  })

  it("a case with a signed Advance Refund and a rejected final sale waits for another closing, and says so in every answer", async () => {
    const id = await paidCase()
    memory.authority.normalMood = "reject"
    const rejected = await closer(id)(150)
    expect([rejected.status, rejected.json.state, rejected.json.failureCode]).toEqual([422, "AWAITING_OUTCOME", "PFR_VALIDATION_REJECTED"])
    const { advanceSales: [sale] } = rejected.json
    const pay = await api.post(`${advancePath}/${id}/payments`, samplePayment(api.target, 10))
    const cancel = await api.post(`${advancePath}/${id}/cancellations`, sampleCancellation(sale.id))
    for (const { json, status } of [pay, cancel]) {
      expect([status, json.code, json.state]).toEqual([409, "ADVANCE_CASE_NOT_OPEN", "AWAITING_OUTCOME"])
    }
    expect((await api.get(`${advancePath}/${id}`)).json).toMatchObject({ state: "AWAITING_OUTCOME", advanceRefund: { status: "FISCALIZED" }, finalSale: { status: "REJECTED" } })
    memory.authority.normalMood = null
    const closed = await closer(id)(160)
    expect([closed.status, closed.json.state, closed.json.failureCode]).toEqual([201, "CLOSED", null])
    expect(closed.json.finalSale.reference.fiscalDocumentId).toBe(rejected.json.advanceRefund.id)
  })

  it("a case over an external advance alone is OPEN again after a rejected final sale: nothing was given back", async () => {
    const id = await caseWithExternal()
    memory.authority.normalMood = "reject"
    expect((await closer(id)(150)).json).toMatchObject({ state: "OPEN", failureCode: null, finalSale: { status: "REJECTED" } })
    memory.authority.normalMood = null
    expect((await api.post(`${advancePath}/${id}/payments`, samplePayment(api.target, 10))).status).toBe(201)
  })

  interface Step {
    readonly key: 0 | 1
    readonly mood: AuthorityMood
    readonly normalMood: AuthorityMood | null
  }
  const moods: fc.Arbitrary<AuthorityMood> = fc.constantFrom<AuthorityMood>("sign", "sign", "sign", "sign", "unavailable", "elementUnavailable")
  const normalMoods = fc.constantFrom<AuthorityMood | null>(null, null, null, "reject", "reject", "unavailable")
  const steps = fc.array(fc.record<Step>({ key: fc.constantFrom(0, 1), mood: moods, normalMood: normalMoods }), { minLength: 2, maxLength: 8 })

  /** Plays requests of two keys. Answers the keys whose requests had a final sale signed. */
  const play = async (id: string, asked: ReadonlyArray<Step>, advances: number): Promise<ReadonlyArray<number>> => {
    const closers = [closer(id), closer(id)] as const
    const begun = memory.authority.signed.length
    const senders: Array<number> = []
    for (const { key, mood, normalMood } of asked) {
      Object.assign(memory.authority, { mood, normalMood })
      const before = memory.authority.signed.length
      const { json } = await closers[key](150 + 10 * key)
      const refunds = advances > 0 && before === begun && json.advanceRefund?.status === "FISCALIZED" ? 1 : 0
      if (memory.authority.signed.length - before > refunds) {
        senders.push(key)
        expect(json).toMatchObject({ state: "CLOSED", finalSale: { fiscalized: true } })
        expect(json.finalSale.idempotencyKey).toBe(json.current.idempotencyKey)
      }
    }
    return senders
  }

  it.each([["an advance of the service's own", paidCase, 1], ["an external advance alone", caseWithExternal, 0]] as const)(
    "whatever the order of their requests, at most one final sale is signed, by the key of its own closing (%s)",
    async (_, open, advances) => {
      const played = { signed: 0 }
      await fc.assert(
        fc.asyncProperty(steps, async (asked) => {
          const id = await open()
          const senders = await play(id, asked, advances)
          played.signed += senders.length
          expect(senders.length).toBeLessThanOrEqual(1)
          const read = await api.get(`${advancePath}/${id}`)
          expect(read.json.state === "CLOSED").toBe(senders.length === 1)
        }),
        { numRuns: 60 }
      )
      expect(played.signed).toBeGreaterThan(10)
    },
    60_000
  )
})
