import { AdvanceCases, OperationHistory, type Reservation, RestoreActs } from "@overa/domain"
import { Effect, Layer, ManagedRuntime, Result } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { closingOf, openedCase, paid, read } from "../src/support/caseSteps.ts"
import { postgresPorts } from "../src/support/postgresPorts.ts"
import { sampleAttempt, sampleTime } from "../src/support/sampleOperations.ts"
import { throwawayDatabase, type ThrowawayDatabase } from "../src/support/throwawayDatabase.ts"

const act = { actor: "ana", reason: "test" }

let database: ThrowawayDatabase
const runtimeOf = () => ManagedRuntime.make(postgresPorts(database.url).pipe(Layer.orDie))
let runtime: ReturnType<typeof runtimeOf>
beforeAll(async () => {
  database = await throwawayDatabase()
  runtime = runtimeOf()
}, 60_000)
afterAll(async () => {
  await runtime.dispose()
  await database.drop()
})

/** A case as the restore left it, and its closing, of which take-back has kept an attempt of the Advance Refund, of this request or of another one. */
const keptClosing = Effect.fnUntraced(function*(fingerprintOf: (digest: string) => string) {
  const acts = yield* RestoreActs
  const opened = yield* openedCase
  yield* paid(opened)
  const closing = Result.getOrThrow(closingOf(opened, (yield* read(opened)).documents))
  const [refund] = closing as readonly [Reservation, Reservation]
  const lost = sampleAttempt(refund.operation, { requestId: refund.operation.id.replaceAll("-", "").replace(/^./, "f") })
  const tried = { attempts: [lost] as const, fingerprint: fingerprintOf(refund.operation.boundKey.fingerprint.digest) }
  yield* acts.begin(act, sampleTime)
  assert.strictEqual(yield* acts.putBack(act, { _tag: "Key", owner: refund.operation, mayBeSigned: true, invoiceNumber: null, tried }), "KEPT")
  yield* acts.end(act)
  const reserve = AdvanceCases.use((cases) => cases.reserve(opened, () => Result.succeed(closing)))
  return { opened, closing, lost, reserve, refund: refund.operation }
})

describe("PostgreSQL: a closing whose Advance Refund was taken back before it", () => {
  it("is not sent: the caller hears that its key is taken, and the kept attempt is searched for, however often the commit is repeated", async () => {
    await runtime.runPromise(Effect.gen(function*() {
      const { closing, lost, opened, refund, reserve } = yield* keptClosing((digest) => digest)
      for (let time = 0; time < 2; time++) {
        const answer = Result.getOrThrow(yield* reserve)
        assert.strictEqual(answer._tag === "KeyTaken" ? answer.existing.id : answer._tag, closing[1]?.operation.id)
        const { documents } = yield* read(opened)
        assert.deepStrictEqual(documents.slice(1).map(({ attempt, status }) => [status, attempt]), [["SUBMITTING", 2], ["VALIDATED", 0]])
        const attempts = yield* (yield* OperationHistory).attempts(refund.organizationId, refund.id)
        assert.deepStrictEqual(attempts.map(({ outcome, requestId }) => [requestId === lost.requestId, outcome]), [[false, "NOT_SENT"], [true, null]])
      }
    }))
  })

  it("of another request under its key is told to a person, and is not sent until then", async () => {
    await runtime.runPromise(Effect.gen(function*() {
      const { opened, reserve } = yield* keptClosing(() => "another")
      assert.strictEqual(Result.getOrThrow(yield* reserve)._tag, "KeyTaken")
      const { documents } = yield* read(opened)
      assert.deepStrictEqual(documents.slice(1).map(({ inDoubt, status }) => [status, inDoubt !== undefined]), [["OUTCOME_UNKNOWN", true], ["VALIDATED", false]])
    }))
  })
})
