import { Effect, Schedule, type Scope } from "effect"
import { PgDatabase } from "./PgDatabase.ts"
import type { PgFailure } from "./PgFailure.ts"

/**
 * Whether this process is the only one that runs as `hostId`, for as long as the scope is open. The holder may end the leases of its host's earlier
 * processes at once (Decisions §4, Orphans), because none of them can still run.
 *
 * A session lock on a connection of its own: the server releases it when the process ends, however it ends. It is taken at start and never on a
 * receipt's path, so on a database without such locks only the shortcut is missing, and orphans wait until their leases end.
 *
 * If the lock is lost with a restarted database while the process runs on, and a second process starts under the same name, the first one's
 * submissions in flight are marked unknown too early: they are searched for, never sent again, and a late answer still counts.
 *
 * The former process's session may last a moment longer than the process, hence a few tries.
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
