import { PgFailure, type PgQueries } from "@overa/adapter-postgres"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { assert, describe, it } from "@effect/vitest"
import { boundedBy } from "../../adapters/postgres/src/boundedBy.ts"
import { UnansweredCommits } from "../../adapters/postgres/src/UnansweredCommits.ts"

/** A server that answers each row lock when the test says so, and the organizations that were locked. */
const lockingServer = (answer: Effect.Effect<void> = Effect.void, rows: ReadonlyArray<object> = [{}]) => {
  const locked: Array<unknown> = []
  const query = <Row extends object>(_sql: string, [organizationId]: ReadonlyArray<unknown> = []) =>
    Effect.suspend(() => {
      locked.push(organizationId)
      return Effect.as(answer, rows as ReadonlyArray<Row>)
    })
  const queries: PgQueries = { query, read: query }
  return { locked, queries }
}

const oneServer = (organizationId: string) => ({ organizationId, isSplit: () => false })
const severalServers = (organizationId: string) => ({ organizationId, isSplit: () => true })

describe("commits without an answer", () => {
  it.effect("without one a read costs nothing", () =>
    Effect.gen(function*() {
      const { locked, queries } = lockingServer()
      yield* new UnansweredCommits().confirm(queries, oneServer("a"))
      assert.deepStrictEqual(locked, [])
    }))

  it.effect("one confirmed commit ends the doubt for every organization of one server", () =>
    Effect.gen(function*() {
      const { locked, queries } = lockingServer()
      const unanswered = new UnansweredCommits()
      unanswered.note()
      for (const organization of ["a", "b", "a"]) yield* unanswered.confirm(queries, oneServer(organization))
      assert.deepStrictEqual(locked, ["a"])
      unanswered.note()
      yield* unanswered.confirm(queries, oneServer("b"))
      assert.deepStrictEqual(locked, ["a", "b"])
    }))

  it.effect("on several servers each organization is confirmed by itself: another one's server says nothing about its standby", () =>
    Effect.gen(function*() {
      const { locked, queries } = lockingServer()
      const unanswered = new UnansweredCommits()
      unanswered.note()
      for (const organization of ["a", "b", "a"]) yield* unanswered.confirm(queries, severalServers(organization))
      assert.deepStrictEqual(locked, ["a", "b"])
    }))

  it.live("a hundred reads wait for one lock, which keeps one connection", () =>
    Effect.gen(function*() {
      const standby = yield* Deferred.make<void>()
      const { locked, queries } = lockingServer(Deferred.await(standby))
      const unanswered = new UnansweredCommits()
      unanswered.note()
      const reads = yield* Effect.forkChild(Effect.all(Array.from({ length: 100 }, () => unanswered.confirm(queries, oneServer("a"))), { concurrency: "unbounded" }))
      while (locked.length === 0) yield* Effect.yieldNow
      yield* Deferred.succeed(standby, undefined)
      yield* Fiber.join(reads)
      assert.deepStrictEqual(locked, ["a"])
    }))

  it.live("a commit that is given up while another read waits is confirmed by a lock of its own", () =>
    Effect.gen(function*() {
      const standby = yield* Deferred.make<void>()
      const { locked, queries } = lockingServer(Deferred.await(standby))
      const unanswered = new UnansweredCommits()
      unanswered.note()
      const first = yield* Effect.forkChild(unanswered.confirm(queries, oneServer("a")))
      while (locked.length === 0) yield* Effect.yieldNow
      unanswered.note()
      yield* Deferred.succeed(standby, undefined)
      yield* Fiber.join(first)
      yield* unanswered.confirm(queries, oneServer("b"))
      assert.deepStrictEqual(locked, ["a", "b"])
    }))

  it.effect("a lock that met no row has confirmed nothing", () =>
    Effect.gen(function*() {
      const { queries } = lockingServer(Effect.void, [])
      const unanswered = new UnansweredCommits()
      unanswered.note()
      assert.isTrue(Exit.isFailure(yield* Effect.exit(unanswered.confirm(queries, oneServer("a")))))
    }))

  it.live("a commit is noted before it is cancelled, because the server shows its row from then on", () =>
    Effect.gen(function*() {
      const unanswered = new UnansweredCommits()
      const { locked, queries } = lockingServer()
      const confirmedOnCancel = unanswered.confirm(queries, oneServer("a"))
      const commit = Effect.onInterrupt(Effect.never, () => Effect.ignore(confirmedOnCancel))
      const failure = yield* Effect.flip(boundedBy({ millis: 5, committed: () => "unknown", unanswered })(commit))
      assert.instanceOf(failure, PgFailure)
      assert.deepStrictEqual(locked, ["a"])
    }))

  it.live("what was never sent leaves no doubt", () =>
    Effect.gen(function*() {
      const unanswered = new UnansweredCommits()
      const { locked, queries } = lockingServer()
      yield* Effect.flip(boundedBy({ millis: 5, committed: () => "no", unanswered })(Effect.never))
      yield* unanswered.confirm(queries, oneServer("a"))
      assert.deepStrictEqual(locked, [])
    }))
})
