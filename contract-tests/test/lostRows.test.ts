import { MemoryOperations } from "@overa/adapter-memory"
import { InFlight, OperationStore, RefundStore, refundSale, type RefundRequest, asUnknown } from "@overa/domain"
import { Deferred, Effect, Fiber, Option } from "effect"
import { TestClock } from "effect/testing"
import { assert, describe, it } from "vitest"
import { waitForOutcome } from "../../domain/src/use-cases/issuing/waitForOutcome.ts"
import { mintUuid } from "../src/support/mintIdentity.ts"
import { sampleAnswer, sampleOperation } from "../src/support/sampleOperations.ts"
import { boundKey, failover, place, run, scriptedVpfr, tenant } from "../src/support/useCaseStage.ts"

const { layer } = scriptedVpfr()
const inFlight = (changes: Parameters<typeof sampleOperation>[1] = {}) =>
  sampleOperation({ ...tenant, taxpayerId: place.taxpayerId, businessPremiseId: place.businessPremiseId }, { status: "SUBMITTING", attempt: 1, ...changes })

describe("a document whose row a failover lost", () => {
  it("is waited for until its lease has ended, and then its outcome is unknown", () =>
    run(layer, Effect.gen(function*() {
      const document = inFlight()
      const store = yield* OperationStore
      yield* store.reserve({ operation: document, attempt: null, transitions: [], leaseMillis: 50_000 })
      yield* failover
      const waiting = yield* Effect.forkChild(waitForOutcome(document))
      yield* TestClock.adjust("49 seconds")
      assert.isUndefined(waiting.pollUnsafe(), "its sender may still store it again")
      yield* TestClock.adjust("5 seconds")
      const told = yield* Fiber.join(waiting)
      assert.deepInclude(told, { id: document.id, status: "OUTCOME_UNKNOWN", failureCode: "OUTCOME_UNKNOWN" })
    })))

  it("is never told as being sent, where its sender could not store its outcome", () =>
    run(layer, Effect.gen(function*() {
      const document = inFlight()
      const store = yield* OperationStore
      yield* store.reserve({ operation: document, attempt: null, transitions: [], leaseMillis: 50_000 })
      const ends = yield* Deferred.make<typeof document>()
      const sending = yield* Effect.forkChild((yield* InFlight).during(document.id, Deferred.await(ends), (stored) => stored), { startImmediately: true })
      const waiting = yield* Effect.forkChild(waitForOutcome(document), { startImmediately: true })
      yield* Deferred.succeed(ends, document)
      yield* Fiber.join(sending)
      yield* TestClock.adjust("1 second")
      assert.isUndefined(waiting.pollUnsafe(), "another process has the document now")
      const row = (yield* MemoryOperations).byId.get(document.id)
      if (row !== undefined) row.operation = { ...document, status: "FISCALIZED", answer: sampleAnswer() }
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* Fiber.join(waiting)).status, "FISCALIZED")
    })))

  it("stays a receipt where it is one", () => {
    const receipt = inFlight({ status: "FISCALIZED", answer: sampleAnswer() })
    assert.strictEqual(asUnknown(receipt), receipt)
  })
})

describe("a refund whose workflow a failover lost", () => {
  const key = boundKey("refund-key-0000000001", {})
  const request = { tenant, clientId: "web", boundKey: key, callerGone: new AbortController().signal }
  const workflow = { type: "REFUND" as const, id: mintUuid() as never }

  const told = (status: "FISCALIZED" | "NOT_FISCALIZED") =>
    run(layer, Effect.gen(function*() {
      const document = inFlight({ boundKey: key, workflow, status, answer: status === "FISCALIZED" ? sampleAnswer() : null })
      yield* (yield* OperationStore).reserve({ operation: document, attempt: null, transitions: [], leaseMillis: 0 })
      const lost = RefundStore.of({ ...(yield* RefundStore), get: () => Effect.succeed(Option.none()) })
      return yield* refundSale(request, {} as RefundRequest).pipe(Effect.provideService(RefundStore, lost))
    }))

  it("is told with the refund as this process knows it, and never as a fault of the service", async () => {
    const receipt = await told("FISCALIZED")
    assert.deepInclude(receipt.refund, { id: workflow.id, copyId: null })
    assert.strictEqual(receipt.refund.refund.status, "FISCALIZED")
    assert.isTrue(receipt.replayed)
  })

  it("is unknown where it was no receipt yet", async () => {
    assert.strictEqual((await told("NOT_FISCALIZED")).refund.refund.status, "OUTCOME_UNKNOWN")
  })
})
