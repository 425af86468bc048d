import { type DayOfRefunds, DocumentCounts, JournalStore, OrganizationId, StoreUnavailable, type Tenant } from "@overa/domain"
import { it } from "@effect/vitest"
import { BigDecimal, DateTime, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { assert, describe } from "vitest"
import { comparedDays } from "../src/pages/start/figures.ts"
import { PastDays } from "../src/pages/start/PastDays.ts"

const tenant = (last: string, environment: Tenant["environment"] = "production"): Tenant => ({ organizationId: OrganizationId.make(`01936b0e-0a00-7000-8000-00000000000${last}`), environment })

/** A journal that counts its reads, and fails while `down`. */
const asked = () => {
  const state = { turnover: [] as Array<string>, documents: 0, down: false }
  const journal: Pick<JournalStore["Service"], "turnover"> = {
    turnover: (of, { pfr }) =>
      Effect.suspend(() => {
        if (state.down) return new StoreUnavailable({ committed: "no", cause: "down" })
        state.turnover.push(`${of.organizationId.at(-1)} ${String(pfr.from)} ${String(pfr.to)}`)
        return Effect.succeed([])
      })
  }
  const refunds: ReadonlyArray<DayOfRefunds> = [{ day: "2026-10-05", receipts: 1, amount: BigDecimal.fromStringUnsafe("2") }]
  const counts: DocumentCounts["Service"] = { fiscalized: () => Effect.sync(() => ++state.documents), refunds: () => Effect.succeed(refunds) }
  const layer = PastDays.layer.pipe(
    Layer.provide(Layer.mergeAll(Layer.succeed(JournalStore, journal as JournalStore["Service"]), Layer.succeed(DocumentCounts, counts)))
  )
  return { state, layer }
}

const past = comparedDays(DateTime.toUtc(DateTime.makeUnsafe("2026-11-22T12:00:00Z")))

describe("the days that are compared", () => {
  it("begin and end with days of Belgrade, also where the clocks change and at midnight", () => {
    const of = (now: string) => {
      const { month, since, today, until } = comparedDays(DateTime.toUtc(DateTime.makeUnsafe(now)))
      return [since, month, today, until].map(DateTime.formatIso)
    }
    assert.deepStrictEqual(of("2026-11-22T12:00:00Z"), ["2026-09-30T22:00:00.000Z", "2026-10-31T23:00:00.000Z", "2026-11-21T23:00:00.000Z", "2026-11-30T23:00:00.000Z"])
    assert.deepStrictEqual(of("2026-10-31T22:59:59Z")[2], "2026-10-30T23:00:00.000Z")
    assert.deepStrictEqual(of("2026-10-31T23:00:00Z"), ["2026-09-30T22:00:00.000Z", "2026-10-31T23:00:00.000Z", "2026-10-31T23:00:00.000Z", "2026-11-30T23:00:00.000Z"])
  })
})

describe("figures of past days", () => {
  it.effect("are read once in five minutes for each organization and environment, up to the beginning of today", () => {
    const { layer, state } = asked()
    return Effect.gen(function*() {
      const days = yield* PastDays
      const [one, other] = yield* Effect.all([days.of(tenant("1"), past), days.of(tenant("1"), past)], { concurrency: "unbounded" })
      assert.strictEqual(one, other)
      yield* days.of(tenant("2"), past)
      yield* days.of(tenant("1", "sandbox"), past)
      const range = `${String(past.since)} ${String(past.today)}`
      assert.deepStrictEqual(state.turnover, [`1 ${range}`, `2 ${range}`, `1 ${range}`])
      assert.strictEqual(state.documents, 2)
      yield* TestClock.adjust("4 minutes")
      yield* days.of(tenant("1"), past)
      assert.lengthOf(state.turnover, 3)
      yield* TestClock.adjust("61 seconds")
      yield* days.of(tenant("1"), past)
      assert.lengthOf(state.turnover, 4)
    }).pipe(Effect.provide(layer))
  })

  it.effect("of another day are others, and a failure is not remembered", () => {
    const { layer, state } = asked()
    return Effect.gen(function*() {
      const days = yield* PastDays
      state.down = true
      assert.strictEqual((yield* Effect.flip(days.of(tenant("1"), past)))._tag, "StoreUnavailable")
      state.down = false
      yield* days.of(tenant("1"), past)
      yield* days.of(tenant("1"), { ...past, today: DateTime.add(past.today, { days: 1 }) })
      assert.lengthOf(state.turnover, 2)
    }).pipe(Effect.provide(layer))
  })
})
