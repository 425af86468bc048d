import { layerDeliveryOutbox, layerDeliveryStore, layerMailTransport, MemoryDeliveries, memoryDeliveries, MemoryOperations } from "@overa/adapter-memory"
import { BrandingStore, type Operation, OperationStore, type ReceiptDelivery, ReceiptMailer, ReceiptRenderer, sendDueDeliveries, TenancyDirectory } from "@overa/domain"
import { Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { assert, describe, it } from "vitest"
import { sampleDelivery } from "../src/support/sampleDeliveries.ts"
import { mintPlace, sampleAnswer, sampleOperation } from "../src/support/sampleOperations.ts"

const receipt: Operation = { ...sampleOperation(mintPlace()), status: "FISCALIZED", answer: sampleAnswer() }
const searchedFor: Operation = { ...receipt, status: "RECONCILING", answer: null }

/** A queue with one delivery. `becomes`: what is stored of its document from now on. */
const queueOf = (change: Partial<ReceiptDelivery> = {}) => {
  const deliveries = memoryDeliveries()
  const delivery = sampleDelivery({ fiscalDocumentId: receipt.id, ...change })
  deliveries.kept.set(delivery.id, { delivery, dueAt: 0, waitingSince: 0, handingOver: false, claim: null, claimedUntil: 0 })
  let document: Operation | null = null
  let handedOver = 0
  const services = Layer.mergeAll(
    Layer.mergeAll(layerDeliveryStore, layerDeliveryOutbox, layerMailTransport).pipe(Layer.provide([Layer.succeed(MemoryDeliveries, deliveries), MemoryOperations.layer])),
    Layer.mock(OperationStore, { get: () => Effect.sync(() => Option.fromNullOr(document)) }),
    Layer.mock(BrandingStore, {}),
    Layer.mock(ReceiptRenderer, { entityTag: () => "", render: () => Effect.succeed({ bytes: new Uint8Array(), mediaType: "application/pdf", fileName: "receipt.pdf" }) }),
    Layer.mock(TenancyDirectory, { taxpayers: () => Effect.succeed([]) }),
    Layer.succeed(ReceiptMailer, { send: () => Effect.sync(() => {
      handedOver += 1
      return { _tag: "Taken" as const }
    }) })
  )
  return {
    becomes: (now: Operation | null) => Effect.sync(() => void (document = now)),
    pass: sendDueDeliveries({ limit: 1, concurrency: 1 }),
    shown: Effect.sync(() => {
      const { attempts, failure, lastError, status } = deliveries.kept.get(delivery.id)?.delivery ?? delivery
      return { attempts, failure, handedOver, lastError, status }
    }),
    run: <A, E>(test: Effect.Effect<A, E, Layer.Success<typeof services>>) =>
      Effect.runPromise(Effect.andThen(TestClock.setTime(delivery.createdAt.epochMilliseconds), test).pipe(Effect.provide(services), Effect.provide(TestClock.layer())))
  }
}

const unknown = "the receipt is not known at the moment"
const waiting = { attempts: 0, failure: null, handedOver: 0, lastError: unknown, status: "QUEUED" } as const

describe("a delivery whose receipt a failover or a restore has lost", () => {
  it.each([["is searched for", searchedFor], ["is gone", null]] as const)("waits while its document %s, and is sent when the receipt is known again", (_what, document) => {
    const { becomes, pass, run, shown } = queueOf()
    return run(Effect.gen(function*() {
      yield* becomes(document)
      yield* pass
      assert.deepStrictEqual(yield* shown, waiting)
      yield* becomes(receipt)
      assert.strictEqual(yield* pass, 0, "it is not due yet")
      yield* TestClock.adjust("1 minute")
      yield* pass
      assert.deepStrictEqual(yield* shown, { attempts: 1, failure: null, handedOver: 1, lastError: null, status: "SENT" })
    }))
  })

  it("is given up after five days, and nobody is said to have refused it", () => {
    const { pass, run, shown } = queueOf()
    return run(Effect.gen(function*() {
      yield* TestClock.adjust("4 days")
      yield* pass
      assert.deepStrictEqual(yield* shown, waiting)
      yield* TestClock.adjust("1 day")
      yield* pass
      assert.deepStrictEqual(yield* shown, { ...waiting, failure: "EXHAUSTED", status: "FAILED" })
    }))
  })

  it("an address that was erased is never written to, whatever is known of the receipt", () => {
    const { pass, run, shown } = queueOf({ recipient: null })
    return run(Effect.gen(function*() {
      yield* pass
      assert.deepStrictEqual(yield* shown, { ...waiting, failure: "REFUSED", lastError: "the recipient's address was erased", status: "FAILED" })
    }))
  })
})
