import { Effect, type Layer } from "effect"
import { assert, describe, it } from "vitest"
import { plain } from "../support/plain.ts"
import { noAnswer, notSent, rejected, redriveOf, signed } from "../support/sampleOperations.ts"
import { applied, attemptsOf, type Store, stored, type Stores, storesOf, submitting, tenantOf, transitionsOf } from "../support/storeSuite.ts"

/** The contract of every store for further attempts of an operation. Run beside `operationStoreContract`. */
export const operationRedriveContract = (name: string, layer: () => Layer.Layer<Stores, unknown>): void => {
  const run = storesOf(layer)

  describe(`${name}: driving an operation again`, () => {
    const unsent = Effect.fnUntraced(function*(store: Store) {
      const { operation } = yield* submitting(store)
      return applied(yield* store.conclude(notSent(operation)))
    })

    it("starts the next attempt of an operation that was not sent", () => run((store) =>
      Effect.gen(function*() {
        const operation = yield* unsent(store)
        const redrive = redriveOf(operation, 2)
        assert.isTrue(yield* store.redrive(redrive))
        assert.deepStrictEqual(plain(yield* stored(store, operation)), plain(redrive.operation))
        assert.deepStrictEqual(plain((yield* attemptsOf(operation.organizationId, operation.id)).map(({ number }) => number)), plain([1, 2]))
        assert.deepStrictEqual(plain((yield* transitionsOf(tenantOf(operation), operation.id)).at(-1)), plain(redrive.transition))
      })))

    it("is won by one of many", () => run((store) =>
      Effect.gen(function*() {
        const operation = yield* unsent(store)
        const tries = Array.from({ length: 20 }, () => store.redrive(redriveOf(operation, 2)))
        const won = yield* Effect.all(tries, { concurrency: "unbounded" })
        assert.strictEqual(won.filter(Boolean).length, 1)
        assert.lengthOf(yield* attemptsOf(operation.organizationId, operation.id), 2)
      })))

    it("is refused from any other status and for any other attempt number", () => run((store) =>
      Effect.gen(function*() {
        const { operation } = yield* submitting(store)
        assert.isFalse(yield* store.redrive(redriveOf(operation, 2)))
        yield* store.conclude(notSent(operation))
        assert.isFalse(yield* store.redrive(redriveOf(operation, 3)))
        assert.isFalse(yield* store.redrive(redriveOf(operation, 1)))
      })))

    it("makes the first attempt's receipt win over the second's silence", () => run((store) =>
      Effect.gen(function*() {
        const operation = yield* unsent(store)
        yield* store.redrive(redriveOf(operation, 2))
        const late = applied(yield* store.conclude(signed(operation, { attempt: 1 })))
        assert.strictEqual(late.status, "FISCALIZED")
        assert.deepStrictEqual(plain(yield* store.conclude(noAnswer(operation, { attempt: 2 }))), plain({ _tag: "Superseded", current: late }))
        const second = signed(operation, { attempt: 2 })
        assert.deepStrictEqual(plain(yield* store.conclude(second)), plain({ _tag: "Superseded", current: late }))
      })))

    // A rejection of the first attempt, or no answer to it, says nothing about the second, which may be being signed at this moment.
    for (const [title, late] of [["a rejection", rejected], ["that it was not sent", notSent], ["a silence", noAnswer]] as const) {
      it(`does not let ${title} of the former attempt end the present one`, () => run((store) =>
        Effect.gen(function*() {
          const operation = yield* unsent(store)
          const redrive = redriveOf(operation, 2)
          yield* store.redrive(redrive)
          assert.deepStrictEqual(plain(yield* store.conclude(late(operation, { attempt: 1 }))), plain({ _tag: "Superseded", current: redrive.operation }))
          assert.strictEqual(applied(yield* store.conclude(signed(operation, { attempt: 2 }))).status, "FISCALIZED")
        })))
    }
  })
}
