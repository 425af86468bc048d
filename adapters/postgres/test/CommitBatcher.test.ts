import { StoreUnavailable } from "@overa/domain"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { assert, describe, it } from "vitest"
import { CommitBatcher } from "../src/operations/CommitBatcher.ts"
import { PgFailure } from "../src/PgFailure.ts"

const refused = new PgFailure({ committed: "no", sqlState: "23505", constraint: "some_unique", cause: "refused" })
const lost = new PgFailure({ committed: "unknown", sqlState: null, constraint: null, cause: "lost" })

/** A store that records what it commits, and commits only while the gate is open. */
const makeStore = (options: { readonly mayShare?: boolean; readonly fail?: (items: ReadonlyArray<string>) => PgFailure | undefined } = {}) => {
  const statements: Array<ReadonlyArray<string>> = []
  const ended: Array<string> = []
  const gates: Array<Deferred.Deferred<void>> = []
  const givenUp = { count: 0 }
  let open = true
  const send = (items: ReadonlyArray<string>) =>
    Effect.gen(function*() {
      statements.push(items)
      if (!open) {
        const gate = yield* Deferred.make<void>()
        gates.push(gate)
        yield* Effect.onInterrupt(Deferred.await(gate), () => Effect.sync(() => ended.push(...items)))
      }
      const failure = options.fail?.(items)
      return failure === undefined ? items.map((item) => `stored ${item}`) : yield* Effect.fail(failure)
    })
  const batcher = new CommitBatcher<string, string>({
    keyOf: (item) => item.split("#")[0] ?? item,
    sizeOf: (item) => (item.startsWith("large") ? 3 * 1_024 * 1_024 : item.length),
    mayShare: () => options.mayShare ?? true,
    gaveUp: () => void (givenUp.count += 1),
    one: (item) => Effect.map(send([item]), ([answer]) => answer ?? ""),
    many: send
  }, { queuedMillis: 300, altogetherMillis: 1_000 })
  return {
    batcher,
    statements,
    ended,
    givenUp,
    close: () => void (open = false),
    open: () => {
      open = true
      for (const gate of gates.splice(0)) Effect.runSync(Deferred.succeed(gate, undefined))
    }
  }
}

const turn = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))
/** Waits until this many statements have been sent; a test that waits in vain runs into its time limit. */
const sent = (store: ReturnType<typeof makeStore>, count: number): Effect.Effect<void> =>
  Effect.suspend(() => store.statements.length >= count ? Effect.void : Effect.andThen(turn, sent(store, count)))
const items = (count: number) => Array.from({ length: count }, (_, index) => `item ${String(index).padStart(3, "0")}`)

const submitWhileClosed = (store: ReturnType<typeof makeStore>, wanted: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    store.close()
    // With two statements in flight the rest is queued.
    const first = yield* Effect.forkChild(Effect.exit(store.batcher.submit("first")))
    yield* sent(store, 1)
    const second = yield* Effect.forkChild(Effect.exit(store.batcher.submit("second")))
    yield* sent(store, 2)
    const rest = yield* Effect.forEach(wanted, (item) => Effect.forkChild(Effect.exit(store.batcher.submit(item))))
    yield* turn
    return { rest, all: [first, second, ...rest] }
  })

describe("commits that share a statement", () => {
  it("one that finds the way free goes alone and at once", async () => {
    const store = makeStore()
    assert.strictEqual(await Effect.runPromise(store.batcher.submit("a")), "stored a")
    assert.deepStrictEqual(store.statements, [["a"]])
  })

  it("those that wait go together, at most 64, in the order of their keys, and each hears of its own", () =>
    Effect.runPromise(Effect.gen(function*() {
      const store = makeStore()
      const wanted = items(100).toReversed()
      const { rest, all } = yield* submitWhileClosed(store, wanted)
      assert.lengthOf(store.statements, 2)
      store.open()
      const answers = yield* Effect.forEach(rest, Fiber.join)
      assert.deepStrictEqual(answers, wanted.map((item) => Exit.succeed(`stored ${item}`)))
      yield* Effect.forEach(all, Fiber.join)
      assert.deepStrictEqual(store.statements.map((statement) => statement.length), [1, 1, 64, 36])
      for (const statement of store.statements) assert.deepStrictEqual(statement, [...statement].toSorted())
    })))

  it("those that become ready in one turn of the loop go together, whoever woke them", () =>
    Effect.runPromise(Effect.gen(function*() {
      const store = makeStore()
      yield* Effect.forEach(["a", "b", "c"], (item) => Effect.andThen(Effect.yieldNow, store.batcher.submit(item)), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(store.statements, [["a", "b", "c"]])
    })))

  it("while one is on its way, a second leaves when sixteen have gathered", () =>
    Effect.runPromise(Effect.gen(function*() {
      const store = makeStore()
      store.close()
      const first = yield* Effect.forkChild(store.batcher.submit("first"))
      yield* sent(store, 1)
      const rest = yield* Effect.forEach(items(16), (item) => Effect.forkChild(store.batcher.submit(item)))
      yield* turn
      yield* turn
      assert.deepStrictEqual(store.statements.map((statement) => statement.length), [1, 16])
      store.open()
      yield* Effect.forEach([first, ...rest], Fiber.join)
    })))

  it("a first that hangs does not hold up a few: they leave after 20 ms, in a second statement and no third", () =>
    Effect.runPromise(Effect.gen(function*() {
      const store = makeStore()
      store.close()
      const first = yield* Effect.forkChild(store.batcher.submit("first"))
      yield* sent(store, 1)
      const few = yield* Effect.forEach(["a", "b"], (item) => Effect.forkChild(store.batcher.submit(item)))
      yield* sent(store, 2)
      const more = yield* Effect.forEach(items(40), (item) => Effect.forkChild(store.batcher.submit(item)))
      yield* Effect.sleep("60 millis")
      assert.deepStrictEqual(store.statements, [["first"], ["a", "b"]])
      store.open()
      yield* Effect.forEach([first, ...few, ...more], Fiber.join)
    })))

  it("two with one key never share a statement", () =>
    Effect.runPromise(Effect.gen(function*() {
      const store = makeStore()
      const { all } = yield* submitWhileClosed(store, ["k#1", "k#2", "l"])
      store.open()
      yield* Effect.forEach(all, Fiber.join)
      assert.deepStrictEqual(store.statements.slice(2), [["k#1", "l"], ["k#2"]])
    })))

  it("large rows do not make one message of any size together", () =>
    Effect.runPromise(Effect.gen(function*() {
      const store = makeStore()
      const { all } = yield* submitWhileClosed(store, ["large 1", "large 2", "small", "large 3"])
      store.open()
      yield* Effect.forEach(all, Fiber.join)
      assert.deepStrictEqual(store.statements.slice(2), [["large 1", "small"], ["large 2"], ["large 3"]])
    })))

  it("a statement the server refused is tried row by row, so that only the bad row fails", () =>
    Effect.runPromise(Effect.gen(function*() {
      const store = makeStore({ fail: (sent) => (sent.includes("bad") ? refused : undefined) })
      const { rest } = yield* submitWhileClosed(store, ["a", "bad", "c"])
      store.open()
      const answers = yield* Effect.forEach(rest, Fiber.join)
      assert.deepStrictEqual(answers, [Exit.succeed("stored a"), Exit.fail(refused), Exit.succeed("stored c")])
    })))

  it("a statement nobody heard of is not tried again: all its rows are unknown", () =>
    Effect.runPromise(Effect.gen(function*() {
      const store = makeStore({ fail: (sent) => (sent.length > 1 ? lost : undefined) })
      const { rest } = yield* submitWhileClosed(store, ["a", "b"])
      store.open()
      const answers = yield* Effect.forEach(rest, Fiber.join)
      assert.deepStrictEqual(answers, [Exit.fail(lost), Exit.fail(lost)])
      assert.lengthOf(store.statements, 3)
    })))

  it("who has waited too long hears whether its row was on its way, and a row still in line is not sent any more", () =>
    Effect.runPromise(Effect.gen(function*() {
      const store = makeStore()
      const { all } = yield* submitWhileClosed(store, ["late"])
      const answers = yield* Effect.forEach(all, Fiber.join)
      const committed = answers.map((answer) =>
        Exit.match(answer, {
          onSuccess: () => "stored",
          onFailure: (cause) => {
            const [reason] = cause.reasons
            return reason?._tag === "Fail" && reason.error instanceof StoreUnavailable ? reason.error.committed : "other"
          }
        })
      )
      assert.deepStrictEqual(committed, ["unknown", "unknown", "no"])
      // Whoever reads afterwards must know of both.
      assert.strictEqual(store.givenUp.count, 2)
      store.open()
      yield* turn
      assert.notInclude(store.statements.flat(), "late")
    })))

  it("a caller that goes away while in line takes its row along; the others are served", () =>
    Effect.runPromise(Effect.gen(function*() {
      const store = makeStore()
      const { rest } = yield* submitWhileClosed(store, ["gone", "stays"])
      const [gone, stays] = rest
      if (gone === undefined || stays === undefined) return assert.fail("nobody in line")
      yield* Fiber.interrupt(gone)
      store.open()
      assert.deepStrictEqual(yield* Fiber.join(stays), Exit.succeed("stored stays"))
      assert.notInclude(store.statements.flat(), "gone")
    })))

  it("a statement that ran into a time-out is not tried row by row", () =>
    Effect.runPromise(Effect.gen(function*() {
      const timedOut = new PgFailure({ committed: "no", sqlState: "57014", constraint: null, cause: "statement timeout" })
      const store = makeStore({ fail: (sent) => (sent.length > 1 ? timedOut : undefined) })
      const { rest } = yield* submitWhileClosed(store, ["a", "b"])
      store.open()
      assert.deepStrictEqual(yield* Effect.forEach(rest, Fiber.join), [Exit.fail(timedOut), Exit.fail(timedOut)])
      assert.lengthOf(store.statements, 3)
    })))

  it("whose caller has gone is not sent again when the rest of its statement is tried row by row", () =>
    Effect.runPromise(Effect.gen(function*() {
      const store = makeStore({ fail: (sent) => (sent.includes("bad") ? refused : undefined) })
      const { all, rest } = yield* submitWhileClosed(store, ["bad", "gone", "stays"])
      store.open()
      store.close()
      yield* sent(store, 3)
      const [, gone, stays] = rest
      if (gone === undefined || stays === undefined) return assert.fail("nobody in line")
      yield* Fiber.interrupt(gone)
      store.open()
      assert.deepStrictEqual(yield* Fiber.join(stays), Exit.succeed("stored stays"))
      yield* Effect.forEach(all, Fiber.await)
      assert.deepStrictEqual(store.statements.filter((statement) => statement.includes("gone")), [["bad", "gone", "stays"]])
    })))

  it("a statement that nobody waits for any more is ended", () =>
    Effect.runPromise(Effect.gen(function*() {
      const store = makeStore()
      store.close()
      const lonely = yield* Effect.forkChild(Effect.exit(store.batcher.submit("lonely")))
      yield* Fiber.join(lonely)
      yield* turn
      assert.deepStrictEqual(store.ended, ["lonely"])
    })))

  it("a row that cannot be written fails alone, and the process lives", () =>
    Effect.runPromise(Effect.gen(function*() {
      const store = makeStore({
        fail: (sent) => {
          if (sent.includes("unwritable")) throw new TypeError("no such value")
          return undefined
        }
      })
      const { rest } = yield* submitWhileClosed(store, ["a", "unwritable", "c"])
      store.open()
      const answers = yield* Effect.forEach(rest, Fiber.join)
      assert.deepStrictEqual(answers.map(Exit.isSuccess), [true, false, true])
    })))

  it("where nothing may be shared every row goes alone, however many are on their way", () =>
    Effect.runPromise(Effect.gen(function*() {
      const store = makeStore({ mayShare: false })
      yield* Effect.forEach(items(40), (item) => store.batcher.submit(item), { concurrency: "unbounded" })
      assert.deepStrictEqual(store.statements.map((statement) => statement.length), Array.from({ length: 40 }, () => 1))
    })))
})
