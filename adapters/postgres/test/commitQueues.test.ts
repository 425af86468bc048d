import { Deferred, Effect, Fiber } from "effect"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"
import { commitQueues } from "../src/operations/commitQueues.ts"

const isLarge = (item: string): boolean => item.startsWith("large")

/** A store whose statements with a large row end only when they may. */
const makeStore = Effect.gen(function*() {
  const mayEnd = yield* Deferred.make<void>()
  const statements: Array<ReadonlyArray<string>> = []
  const send = (items: ReadonlyArray<string>) =>
    Effect.gen(function*() {
      statements.push(items)
      if (items.some(isLarge)) yield* Deferred.await(mayEnd)
      return items
    })
  const submit = commitQueues<string, string>({
    keyOf: (item) => item,
    sizeOf: (item) => (isLarge(item) ? 65_537 : 65_536),
    mayShare: () => true,
    gaveUp: () => undefined,
    one: (item) => Effect.as(send([item]), item),
    many: send
  }, { queuedMillis: 5_000, altogetherMillis: 10_000 })
  return { mayEnd, statements, submit }
})

describe("commits of large rows", () => {
  it("delay no small row, however many of them hang, and share no statement with one", () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }), async (sizes) => {
        const items = sizes.map((large, at) => `${large ? "large" : "small"} ${at}`)
        await Effect.runPromise(Effect.gen(function*() {
          const { mayEnd, statements, submit } = yield* makeStore
          const answers = yield* Effect.forEach(items, (item) => Effect.map(Effect.forkChild(submit(item)), (fiber) => ({ fiber, item })))
          for (const { fiber, item } of answers) if (!isLarge(item)) assert.strictEqual(yield* Fiber.join(fiber), item)
          for (const statement of statements) assert.lengthOf(new Set(statement.map(isLarge)), 1)
          yield* Deferred.succeed(mayEnd, undefined)
          for (const { fiber, item } of answers) assert.strictEqual(yield* Fiber.join(fiber), item)
        }))
      })
    ))
})
