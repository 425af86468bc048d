import { MemoryOperations } from "@overa/adapter-memory"
import type { FiscalDocumentId, SubmissionOutcome } from "@overa/domain"
import { Effect, Fiber, Result } from "effect"
import { TestClock } from "effect/testing"
import { assert } from "vitest"
import { sampleAnswer } from "./sampleOperations.ts"
import { boundKey, failover, issue, type scriptedVpfr } from "./useCaseStage.ts"

/** The key of every first request. */
export const key = boundKey("key-0000000000000001", { a: "1" })
/** All that is due, one after another. */
export const due = { limit: 10, concurrency: 1 }
export const signed = (): SubmissionOutcome => ({ _tag: "Signed", answer: sampleAnswer(), remarks: [] })
export const rejected: SubmissionOutcome = { _tag: "Rejected", rejection: { items: [] }, text: "{}" }

export type Script = ReturnType<typeof scriptedVpfr>["script"]

export const storedOf = (id: FiscalDocumentId) =>
  Effect.map(MemoryOperations, ({ byId }) => {
    const stored = byId.get(id)
    return stored ?? assert.fail("it is not stored")
  })

/** A request is sent, a failover loses its attempt, and its repetition ends as `second` before the first one's outcome comes. */
export const lostAndRepeated = Effect.fnUntraced(function*(script: Script, first: () => SubmissionOutcome, second: () => SubmissionOutcome, repetition = key) {
  script.outcome = () => Effect.delay(Effect.sync(first), "10 seconds")
  const sent = yield* Effect.forkChild(issue(key))
  yield* TestClock.adjust("1 second")
  yield* failover
  script.outcome = () => Effect.sync(second)
  const { operation: retry } = yield* issue(repetition)
  yield* TestClock.adjust("20 seconds")
  const answered = yield* Effect.result(Fiber.join(sent))
  const told = Result.isSuccess(answered) ? answered.success.operation : assert.fail(answered.failure._tag)
  script.outcome = () => Effect.sync(signed)
  return { retry, told, sentSoFar: script.submissions }
})
