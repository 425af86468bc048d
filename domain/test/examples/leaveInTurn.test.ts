import { it } from "@effect/vitest"
import { Effect, Exit, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect } from "vitest"
import { LeavingActs, leaveInTurn, OrganizationId } from "../../src/index.ts"

const act = { actor: "operator:ana", reason: "the shop leaves" }
const organizationId = OrganizationId.make("0190f1d2-0000-7000-8000-000000000001")

/** Three files, each of which takes 40 seconds to be read; the turn is prolonged as long as it `isOurs`. */
const take = Effect.fnUntraced(function*(isOurs: boolean) {
  const asked: Array<string> = []
  const ended: Array<unknown> = []
  const turns = LeavingActs.of({
    begin: () => Effect.succeed({ turn: "turn 1" }),
    goOn: (_organization, turn) => Effect.sync(() => (asked.push(turn), isOurs)),
    end: (_act, _organization, turn, after) => Effect.sync(() => void ended.push([turn, after]))
  })
  const taken: Array<number> = []
  const files = Stream.mapEffect(Stream.make(1, 2, 3), (file) => Effect.delay(Effect.succeed(file), "40 seconds"))
  const reading = Effect.gen(function*() {
    const inTurn = yield* leaveInTurn(act, organizationId, files, () => ({ documents: taken.length }))
    yield* Stream.runForEach(inTurn, (file) => Effect.sync(() => void taken.push(file)))
  })
  const fiber = yield* Effect.forkChild(Effect.exit(Effect.provideService(reading, LeavingActs, turns)))
  yield* TestClock.adjust("3 minutes")
  return { asked, ended, exit: yield* Fiber.join(fiber), taken }
})

describe("taking everything along in the organization's turn", () => {
  it.effect("prolongs the turn once a minute, and notes what was taken whole", () =>
    Effect.gen(function*() {
      const { asked, ended, exit, taken } = yield* take(true)
      expect([exit, taken, asked]).toEqual([Exit.succeed(undefined), [1, 2, 3], ["turn 1"]])
      expect(ended).toEqual([["turn 1", { documents: 3 }]])
    }))

  it.effect("ends where the turn is over, and notes nothing as taken", () =>
    Effect.gen(function*() {
      const { ended, exit, taken } = yield* take(false)
      expect([Exit.isFailure(exit), JSON.stringify(exit).includes("LeavingTurnOver"), taken]).toEqual([true, true, [1]])
      expect(ended).toEqual([["turn 1", null]])
    }))
})
