import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Duration, Effect, Scope } from "effect"
import type { PgFailure } from "./PgFailure.ts"

/** Between two rounds of asking every server, in milliseconds. */
const pauseMillis = 200
/** How long a server may take to answer whether it is the primary, in milliseconds. */
const answerMillis = 2_000

/** Failures of the server and not of the statement: no answer, a lost session, a standby that refuses to write. */
const concernsServer = ({ sqlState }: PgFailure): boolean => sqlState === null || /^(08|57P|25006|XX)/.test(sqlState)

const isPrimary = (options: PgConnection.Config): Effect.Effect<boolean> =>
  Effect.scoped(Effect.gen(function*() {
    const connection = yield* PgConnection.make({ ...options, connectTimeout: Duration.millis(answerMillis) })
    const { rows } = yield* connection.query("select not pg_is_in_recovery() as is_primary")
    return (rows[0] as { readonly is_primary?: boolean } | undefined)?.is_primary === true
  })).pipe(
    Effect.timeoutOrElse({ duration: Duration.millis(answerMillis), orElse: () => Effect.succeed(false) }),
    Effect.catch(() => Effect.succeed(false))
  )

/** The current primary among several servers. */
export interface PrimaryServer {
  /** The server's index among the addresses. */
  readonly current: () => number
  /** Looks for the primary again, in the background, where the failure could mean that another server has become the primary. */
  readonly doubt: (failure: PgFailure) => Effect.Effect<void>
}

/**
 * Follows a failover: when statements fail because of the server, all addresses are asked until one of them is no standby. The former one is asked
 * first, so that it is kept while it still works. Preventing an old primary from returning as a second one (fencing) is the task of the tool that
 * promotes the standby. It starts with one round over all addresses.
 */
export const primaryServer = Effect.fnUntraced(function*(servers: ReadonlyArray<PgConnection.Config>) {
  const scope = yield* Scope.Scope
  let current = 0
  let searching = false
  const fromCurrent = () => servers.map((_, index) => (current + index) % servers.length)
  const searchOnce = Effect.gen(function*() {
    for (const index of fromCurrent()) {
      const server = servers[index]
      if (server === undefined || !(yield* isPrimary(server))) continue
      if (index !== current) yield* Effect.logWarning("the database's primary is another server now", { address: index + 1 })
      current = index
      return true
    }
    return false
  })
  const searchUntilFound: Effect.Effect<void> = Effect.gen(function*() {
    while (!(yield* searchOnce)) yield* Effect.sleep(pauseMillis)
  }).pipe(Effect.ensuring(Effect.sync(() => void (searching = false))))
  const doubt = (failure: PgFailure): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (servers.length < 2 || searching || !concernsServer(failure)) return Effect.void
      searching = true
      return Effect.asVoid(Effect.forkIn(searchUntilFound, scope))
    })
  // A process that starts after a failover must not begin with the first address: it may be down, or be the standby by now.
  if (servers.length > 1 && !(yield* searchOnce)) {
    searching = true
    yield* Effect.forkIn(searchUntilFound, scope)
  }
  const found: PrimaryServer = { current: () => current, doubt }
  return found
})
