import { type BuyerDetails, type DocumentContent, OperationStore, reconcileDue } from "@overa/domain"
import { DateTime, Deferred, Effect, Fiber, Option } from "effect"
import { TestClock } from "effect/testing"
import { afterEach, assert, describe, it } from "vitest"
import { sampleBuyerDetails } from "../src/support/sampleReceipts.ts"
import { sampleAnswer } from "../src/support/sampleOperations.ts"
import { boundKey, content, issue, registerOfTest, run, scriptedVpfr, silence, tenant } from "../src/support/useCaseStage.ts"

const toCompany: DocumentContent = { ...content, buyer: { id: "10:101670560", optionalField: null } as DocumentContent["buyer"] }

/** The wait for the company register before a receipt for a company is sent. Source: Spec, Resources, BuyerDetails; docs/adr/0214. */
describe("the first receipt of a company", () => {
  afterEach(() => {
    registerOfTest.lookup = () => Effect.succeedNone
  })

  /** Issues to a company whose register answers when the test says so; `at` runs after the request has begun. */
  const issued = (at: (answer: (details: Option.Option<BuyerDetails>) => void, submissions: () => number) => Effect.Effect<void>, sale = toCompany) => {
    const { layer, script } = scriptedVpfr()
    return run(layer, Effect.gen(function*() {
      const answered = yield* Deferred.make<Option.Option<BuyerDetails>>()
      registerOfTest.lookup = () => Deferred.await(answered)
      const fiber = yield* Effect.forkChild(issue(boundKey("key-0000000000000001", { a: "1" }), { content: sale }), { startImmediately: true })
      yield* at((details) => Deferred.doneUnsafe(answered, Effect.succeed(details)), () => script.submissions)
      const { operation } = yield* Fiber.join(fiber)
      return { operation, submissions: script.submissions, at: yield* DateTime.now }
    }))
  }

  it("has its name and address although the V-PFR signs at once: the register gets a second first, and nothing is sent meanwhile", async () => {
    const { operation, submissions } = await issued((answer, sent) => Effect.gen(function*() {
      yield* TestClock.adjust(900)
      assert.strictEqual(sent(), 0)
      answer(Option.some(sampleBuyerDetails))
    }))
    assert.deepStrictEqual([operation.status, operation.buyerDetails, submissions], ["FISCALIZED", sampleBuyerDetails, 1])
  })

  it("is issued after a second without them where the register says nothing", async () => {
    const { at, operation, submissions } = await issued(() => TestClock.adjust(1_000))
    assert.deepStrictEqual([operation.status, operation.buyerDetails, submissions], ["FISCALIZED", null, 1])
    assert.strictEqual(DateTime.formatIso(at), "2026-08-29T10:00:01.000Z")
  })

  it("keeps what the register said when the V-PFR's answer is lost: the receipt that is found has name and address", async () => {
    registerOfTest.lookup = () => Effect.succeedSome(sampleBuyerDetails)
    const { layer, script } = scriptedVpfr()
    const found = await run(layer, Effect.gen(function*() {
      script.outcome = () => Effect.succeed(silence)
      const { operation } = yield* issue(boundKey("key-0000000000000001", { a: "1" }), { content: toCompany })
      assert.strictEqual(operation.status, "OUTCOME_UNKNOWN")
      script.search = () => ({ _tag: "Found", answer: sampleAnswer(), remarks: [] })
      yield* reconcileDue({ limit: 10, concurrency: 1 })
      return Option.getOrThrow(yield* (yield* OperationStore).get(tenant, operation.id))
    }))
    assert.deepStrictEqual([found.status, found.buyerDetails], ["FISCALIZED", sampleBuyerDetails])
  })

  it("is issued at once where the register has no such company, and for a buyer who is none", async () => {
    const unknown = await issued((answer) => Effect.sync(() => answer(Option.none())))
    const person = await issued(() => Effect.void, content)
    for (const { at, operation } of [unknown, person]) {
      assert.deepStrictEqual([operation.status, operation.buyerDetails, DateTime.formatIso(at)], ["FISCALIZED", null, "2026-08-29T10:00:00.000Z"])
    }
  })
})
