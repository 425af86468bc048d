import { isSameAttempt, type Operation, OperationHistory, OperationStore, type Redrive } from "@overa/domain"
import { Effect, type Layer } from "effect"
import { assert, describe, it } from "vitest"
import { mintUuid } from "../support/mintIdentity.ts"
import { after, mintPlace, notSent, sampleAttempt, sampleOperation, sampleReservation, sampleUnsentReservation } from "../support/sampleOperations.ts"

type Stores = OperationStore | OperationHistory

const requestId = "0123456789abcdef0123456789abcdef"

/** The next attempt as one of many processes offers it: all compute the same RequestId, at the same moment. */
const offered = (operation: Operation): Redrive => {
  const number = operation.attempt + 1
  return {
    operation: { ...operation, status: "SUBMITTING", attempt: number, failureCode: null, updatedAt: after(9_000) },
    attempt: sampleAttempt(operation, { number, requestId, mark: mintUuid(), startedAt: after(9_000) }),
    transition: { from: "NOT_FISCALIZED", to: "SUBMITTING", at: after(9_000), cause: "redriven", actor: "worker:host-a", attempt: number },
    leaseMillis: 50_000
  }
}

const unsentBefore: ReadonlyArray<readonly [string, Effect.Effect<Operation, unknown, OperationStore>]> = [
  ["a first attempt", Effect.gen(function*() {
    const reservation = sampleUnsentReservation(mintPlace())
    yield* (yield* OperationStore).reserve(reservation)
    return reservation.operation
  })],
  ["a later attempt", Effect.gen(function*() {
    const [store, operation] = [yield* OperationStore, sampleOperation(mintPlace())]
    yield* store.reserve(sampleReservation(operation))
    yield* store.conclude(notSent(operation))
    return operation
  })]
]

/** The contract of every store of operations for attempts whose RequestId is derived: whoever loses must not take the winner's attempt for its own. */
export const sameRequestIdContract = (name: string, layer: () => Layer.Layer<Stores, unknown>): void => {
  const run = <A, E>(body: Effect.Effect<A, E, Stores>) => Effect.runPromise(Effect.provide(body, layer()))

  describe(`${name}: processes that compute the same RequestId`, () => {
    it.each(unsentBefore)("of %s: one of many wins, and its attempt is stored", (_what, unsent) => run(Effect.gen(function*() {
      const [store, history, operation] = [yield* OperationStore, yield* OperationHistory, yield* unsent]
      const offers = Array.from({ length: 20 }, () => offered(operation))
      const won = yield* Effect.all(offers.map((redrive) => store.redrive(redrive)), { concurrency: "unbounded" })
      const winners = offers.filter((_, at) => won[at])
      assert.lengthOf(winners, 1)
      const stored = (yield* history.attempts(operation.organizationId, operation.id)).at(-1)
      assert.isTrue(stored !== undefined && winners[0] !== undefined && isSameAttempt(stored, winners[0].attempt))
      for (const late of offers.filter((offer) => !winners.includes(offer))) assert.isFalse(yield* store.redrive(late))
    })))
  })
}
