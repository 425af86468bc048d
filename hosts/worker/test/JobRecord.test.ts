import { it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import { JobRecord, JobRecords } from "../src/jobs/JobRecord.ts"
import { keepDoing } from "../src/jobs/keepDoing.ts"

const hour = 3_600_000

describe("the record of a worker's jobs", () => {
  it.effect("counts passes by their result, and knows when the last good one was", () =>
    Effect.gen(function*() {
      const record = new JobRecord()
      let passes = 0
      const pass = Effect.suspend(() => ++passes > 2 ? Effect.fail("down") : Effect.succeed(false))
      const fiber = yield* Effect.forkChild(
        Effect.provideService(keepDoing({ name: "search", pass, pauseMillis: 1_000, busyPauseMillis: 100 }), JobRecords, record)
      )
      yield* TestClock.adjust(4_500)
      yield* Fiber.interrupt(fiber)
      const lines = record.text().split("\n")
      expect(lines).toContain("overa_worker_passes_total{job=\"search\",result=\"done\"} 2")
      expect(lines).toContain("overa_worker_passes_total{job=\"search\",result=\"failed\"} 2")
      expect(lines).toContain("overa_worker_last_pass_timestamp_seconds{job=\"search\"} 1")
      expect(record.stuck(1_000 + 2 * hour)).toEqual([])
      expect(record.stuck(1_001 + 2 * hour)).toEqual(["the job search has not finished a pass for two hours"])
    }))
})
