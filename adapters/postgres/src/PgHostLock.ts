import { Effect, Schedule, type Scope } from "effect"
import { PgDatabase } from "./PgDatabase.ts"
import type { PgFailure } from "./PgFailure.ts"

/**
 * Whether this process is the only one that runs as `hostId`, for as long as the scope is open. Who holds it may end the leases of its
 * host's earlier boots at once (Decisions §4, Orphans), because none of them can still be alive.
 *
 * A session lock on a connection of its own: the server gives it up when the process dies, whichever way. It is taken at start and
 * never on the path of a receipt, so an engine without such locks loses only the shortcut, and orphans wait for their leases.
 *
 * Should the lock be lost with a restarted database while the process lives on, and a second one start under the same name, the
 * first one's open submissions are called unknown too early: searched for, never sent again, and a late answer still counts.
 *
 * The former process's session may outlive it by a moment, hence a few tries.
 */
export const acquireHostLock = Effect.fn("acquireHostLock")(function*(
  hostId: string
): Effect.fn.Return<boolean, PgFailure, PgDatabase | Scope.Scope> {
  const database = yield* PgDatabase
  const session = yield* database.session
  const attempt = Effect.map(
    session.query<{ readonly held: boolean }>("select pg_try_advisory_lock(hashtextextended('overa host ' || $1, 0)) as held", [
      hostId
    ]),
    ([row]) => row?.held === true
  )
  return yield* Effect.repeat(attempt, { until: (held) => held, times: 10, schedule: Schedule.spaced("200 millis") })
})
