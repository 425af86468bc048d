import type { Act } from "@overa/domain"
import { DateTime, Effect } from "effect"
import type { PgStatements } from "../PgDatabase.ts"
import type { PgFailure } from "../PgFailure.ts"

/** Acts on the installation itself belong to no organization. */
export const installationItself = "00000000-0000-0000-0000-000000000000"

/** What was done to what; `before` and `after` hold facts, never secrets. */
export interface Deed {
  readonly organizationId: string
  readonly act: string
  readonly subject: string
  readonly before: unknown
  readonly after: unknown
}

/** The present instant as the driver takes it. */
export const rightNow: Effect.Effect<Date> = Effect.map(DateTime.now, (now) => new Date(DateTime.toEpochMillis(now)))

/** Writes the act's line of the activity log, in the transaction of the act itself. */
export const recordActivity = Effect.fnUntraced(function*(
  tx: PgStatements,
  act: Act,
  deed: Deed
): Effect.fn.Return<void, PgFailure> {
  yield* tx.query(
    `insert into activity_log (organization_id, at, actor, act, subject, before, after, reason)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      deed.organizationId,
      yield* rightNow,
      act.actor,
      deed.act,
      deed.subject,
      deed.before === null ? null : JSON.stringify(deed.before),
      deed.after === null ? null : JSON.stringify(deed.after),
      act.reason
    ]
  )
})
