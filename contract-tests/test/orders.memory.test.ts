import { DocumentRejected, NotIssued, OveraClient, RefundNotCompleted } from "@overa/client"
import { answered, failed, type FiscalRequest, nextRequest, type OrderEvent, type OrderProgress, planOrder, type Settings } from "@overa/orders"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { choicesArbitrary, orderArbitrary, settingsArbitrary, storyOf } from "../src/orders/stories.ts"
import { type MemoryApi, startMemoryApi } from "../src/support/memoryApi.ts"

const stories = fc.tuple(settingsArbitrary, orderArbitrary, choicesArbitrary).chain(([settings, order, choices]) => {
  // The API in memory has one tax label.
  const told = storyOf(settings, { ...order, lines: order.lines.map((line) => ({ ...line, taxLabels: ["A"] })) }, choices)
  return fc.record({ settings: fc.constant(settings), story: fc.constant(told), events: fc.shuffledSubarray([...told.events], { minLength: told.events.length }) })
})

const paras = (amount: number): bigint => BigInt(Math.round(amount * 100))

describe("ORDERS-1 at the API: what is signed for an order is what its buyer paid", () => {
  let memory: MemoryApi
  let client: OveraClient
  beforeAll(async () => {
    memory = await startMemoryApi()
    const { authUrl, baseUrl, clientId, clientSecret } = memory.target
    client = new OveraClient({ baseUrl, authUrl, clientId, clientSecret, surroundings: { wait: () => Promise.resolve() } })
  })
  afterAll(() => memory.running.stop())

  /** Sends a request; the first time, the V-PFR does what `mood` says. Answers what the shop keeps. */
  const send = async (request: FiscalRequest, kept: OrderProgress, mood: "sign" | "reject" | "unavailable") => {
    memory.authority.mood = mood
    try {
      const answer = await client.prepare(request.operation, request.input as never, request.key).send()
      return answered(request.operation, answer as never)
    } catch (error) {
      const before = kept[request.step]
      if (error instanceof DocumentRejected || (error instanceof RefundNotCompleted && error.workflow.status === "FAILED")) return failed(before)
      if (error instanceof NotIssued) return before ?? { isDone: false, failures: 0 }
      throw error
    }
  }

  const signedFor = async (clientReference: string): Promise<bigint> => {
    let signed = 0n
    for await (const { invoiceType, pfr, transactionType } of client.journal({ clientReference })) {
      if (pfr === null || invoiceType === "COPY") continue
      signed += (transactionType === "SALE" ? 1n : -1n) * paras(pfr.totalAmount)
    }
    return signed
  }

  it("with every event told in any order, requests rejected, not sent, and sent twice", async () => {
    const drawn = fc.sample(stories, { numRuns: 40, seed: 2026 })
    let documents = 0
    for (const [at, { events, settings: chosen, story: { paid } }] of drawn.entries()) {
      const { businessPremiseId, taxpayerId } = memory.target
      const settings: Settings = { ...chosen, taxpayerId, businessPremiseId }
      const number = `ORDER-${at}`
      const heard: Array<OrderEvent> = []
      let progress: OrderProgress = {}
      for (const event of events) {
        heard.push(event.type === "placed" ? { ...event, order: { ...event.order, number } } : event)
        const plan = planOrder(settings, heard)
        for (let request = nextRequest(plan, progress); request !== null; request = nextRequest(plan, progress)) {
          // A rejected Advance Refund ends its case: that is a person's matter (docs/guides/advances.md).
          const trouble = request.operation === "closeAdvanceCase" ? "unavailable" : "reject"
          const mood = (["sign", trouble, "unavailable", "sign"] as const)[documents++ % 4] ?? "sign"
          const kept = await send(request, progress, mood)
          // The shop died before it wrote the answer down: the same request again.
          if (documents % 5 === 0 && kept.isDone) expect(await send(request, progress, "sign")).toEqual(kept)
          progress = { ...progress, [request.step]: kept }
        }
      }
      expect([at, planOrder(settings, heard).remarks]).toEqual([at, []])
      expect([at, await signedFor(number)]).toEqual([at, BigInt(paid)])
    }
    expect(documents).toBeGreaterThan(100)
  })
})
