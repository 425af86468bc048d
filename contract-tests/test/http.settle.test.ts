import { layerOperationStore, MemoryOperations } from "@overa/adapter-memory"
import { OutcomeUnknown, OveraClient, RefundNotCompleted } from "@overa/client"
import { OperationStore } from "@overa/domain"
import { Effect, Layer } from "effect"
import { beforeEach, describe, expect, it } from "vitest"
import { sampleCase, sampleClosing, samplePayment } from "../src/http/sampleAdvance.ts"
import { sampleRefund } from "../src/http/sampleRefund.ts"
import { sampleSale } from "../src/http/sampleSale.ts"
import { rejected, sampleAnswer, signed } from "../src/support/sampleOperations.ts"
import { sharedMemoryApi } from "../src/support/sharedMemoryApi.ts"

describe("The client waits for an outcome that is not known, and sends the same request again", () => {
  const { memory } = sharedMemoryApi()
  let found = 0
  beforeEach(() => void (memory.authority.mood = "sign"))

  /** Every unknown document gets its outcome, as the worker's search would find it. */
  const conclude = (outcome: "signed" | "rejected") => Effect.runPromise(Effect.gen(function*() {
    const store = yield* OperationStore
    memory.authority.mood = "sign"
    for (const { operation } of memory.operations.byId.values()) {
      if (operation.status !== "OUTCOME_UNKNOWN") continue
      const { workflow } = operation
      yield* store.conclude(outcome === "signed" ? { ...signed(operation, { answer: sampleAnswer(`SETTLED1-SETTLED1-${++found}`) }), workflow } : { ...rejected(operation), workflow })
    }
  }).pipe(Effect.provide(Layer.provide(layerOperationStore, Layer.succeed(MemoryOperations, memory.operations)))))

  /** A client for which three pauses pass before the outcome is there. */
  const waiting = (outcome: "signed" | "rejected") => {
    const keys: Array<string> = []
    const pauses: Array<number> = []
    const client = new OveraClient({
      ...memory.target,
      surroundings: {
        fetch: (url, init) => {
          const key = new Headers(init.headers).get("Idempotency-Key")
          if (key !== null) keys.push(key)
          return fetch(url, init)
        },
        wait: async (millis) => {
          pauses.push(millis)
          if (pauses.length === 3) await conclude(outcome)
        }
      }
    })
    return { client, keys, pauses }
  }
  const silently = async <A>(what: () => Promise<A>): Promise<{ readonly answer: A; readonly sent: number }> => {
    memory.authority.mood = "silent"
    const before = memory.authority.arrived.length
    const answer = await what()
    return { answer, sent: memory.authority.arrived.length - before }
  }

  it("a sale that is found is answered as the receipt, sent to the V-PFR once", async () => {
    const { client, keys, pauses } = waiting("signed")
    const { answer, sent } = await silently(() => client.settle(client.sale(sampleSale(memory.target) as never)))
    expect([answer.status, sent, pauses]).toEqual(["FISCALIZED", 1, [30_000, 30_000, 30_000]])
    expect([keys.length, new Set(keys).size]).toEqual([2, 1])
  })

  it("a refund that is found is answered as completed, and one that was rejected as failed", async () => {
    const refund = async (outcome: "signed" | "rejected") => {
      memory.authority.mood = "sign"
      const { client } = waiting(outcome)
      const { id } = await client.sale(sampleSale(memory.target) as never).send()
      return silently(() => client.settle(client.refund(sampleRefund(memory.target, id) as never)).catch((error: unknown) => error))
    }
    expect(await refund("signed")).toMatchObject({ answer: { status: "COMPLETED" }, sent: 1 })
    const failed = await refund("rejected")
    expect(failed.answer).toBeInstanceOf(RefundNotCompleted)
    expect(failed).toMatchObject({ answer: { workflow: { status: "FAILED" } }, sent: 1 })
  })

  it("a closing goes on to its final sale", async () => {
    const { client } = waiting("signed")
    const { id } = await client.openAdvanceCase(sampleCase(memory.target) as never).send()
    await client.advanceCase(id).pay(samplePayment(memory.target, 500) as never).send()
    const { answer, sent } = await silently(() => client.settle(client.advanceCase(id).close(sampleClosing(memory.target, 1200, 700) as never)))
    expect([answer.state, sent]).toEqual(["CLOSED", 2])
  })

  it("stops where its caller stops it", async () => {
    const stop = new AbortController()
    const client = new OveraClient({ ...memory.target, surroundings: { wait: () => (stop.abort(new Error("closing time")), Promise.resolve()) } })
    memory.authority.mood = "silent"
    await expect(client.settle(client.sale(sampleSale(memory.target) as never), stop.signal)).rejects.toThrow("closing time")
    await expect(client.sale(sampleSale(memory.target) as never).send()).rejects.toBeInstanceOf(OutcomeUnknown)
  })
})
