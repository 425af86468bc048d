import { beforeEach, describe, expect, it } from "vitest"
import { advancePath, sampleCase, sampleClosing, samplePayment } from "../src/http/sampleAdvance.ts"
import { type ApiAnswer, newKey } from "../src/support/ApiClient.ts"
import { sharedMemoryApi } from "../src/support/sharedMemoryApi.ts"

/** Closings that stop between their documents, from the caller's view. */
describe("a closing that is continued under its own key", () => {
  const { api, memory } = sharedMemoryApi()
  beforeEach(() => void Object.assign(memory.authority, { mood: "sign", normalMood: null }))

  const paidCase = async (): Promise<string> => {
    const { json } = await api.post(advancePath, sampleCase(api.target))
    expect((await api.post(`${advancePath}/${json.id}/payments`, samplePayment(api.target, 100))).status).toBe(201)
    return json.id
  }
  const closing = async () => {
    const [path, key] = [`${advancePath}/${await paidCase()}/closing`, newKey()]
    return () => api.post(path, sampleClosing(api.target, 150, 50), { key })
  }
  const said = ({ headers, json, status }: ApiAnswer) => ({
    status,
    state: json.state,
    replayed: headers.get("idempotency-replayed") === "true",
    location: headers.get("location") !== null
  })
  const done = { status: 201, state: "CLOSED", replayed: false, location: true }
  const repeated = { status: 200, state: "CLOSED", replayed: true, location: false }

  it.each(["unavailable", "elementUnavailable", "cancelled"] as const)(
    "is no replay where it issues both documents, of which none was sent before (%s); the next request is one",
    async (mood) => {
      const close = await closing()
      memory.authority.mood = mood
      const first = await close()
      expect(said(first)).toMatchObject({ status: 503, state: "AWAITING_OUTCOME", replayed: false })
      expect(first.json).toMatchObject({ advanceRefund: { status: "NOT_FISCALIZED" }, finalSale: { status: "VALIDATED" } })
      memory.authority.mood = "sign"
      const second = await close()
      expect(said(second)).toEqual(done)
      const third = await close()
      expect(said(third)).toEqual(repeated)
      expect(third.json).toEqual(second.json)
    }
  )

  it("is no replay where it issues the final sale alone", async () => {
    const close = await closing()
    memory.authority.normalMood = "unavailable"
    const first = await close()
    expect(said(first)).toMatchObject({ status: 503, state: "AWAITING_OUTCOME", replayed: false })
    expect(first.json).toMatchObject({ advanceRefund: { status: "FISCALIZED" }, finalSale: { status: "NOT_FISCALIZED", retryable: true } })
    memory.authority.normalMood = null
    expect(said(await close())).toEqual(done)
    expect(said(await close())).toEqual(repeated)
  })

  it("is a replay where it may send nothing", async () => {
    const close = await closing()
    memory.authority.normalMood = "silent"
    expect(said(await close())).toMatchObject({ status: 503, replayed: false })
    memory.authority.normalMood = null
    expect(said(await close())).toMatchObject({ status: 503, replayed: true })
  })

  it("has each document signed once, also where many requests continue it at the same time", async () => {
    const close = await closing()
    memory.authority.mood = "unavailable"
    await close()
    memory.authority.mood = "sign"
    const signed = memory.authority.signed.length
    const answers = (await Promise.all(Array.from({ length: 12 }, close))).map(said)
    expect(memory.authority.signed).toHaveLength(signed + 2)
    expect(answers).toContainEqual(done)
    for (const answer of answers) expect([done, repeated]).toContainEqual(answer)
    expect(said(await close())).toEqual(repeated)
  })
})
