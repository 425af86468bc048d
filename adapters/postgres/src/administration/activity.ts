import type { Act, OperatorsDeed } from "@overa/domain"
import { DateTime, Effect } from "effect"
import type { PgStatements } from "../PgDatabase.ts"
import type { PgFailure } from "../PgFailure.ts"
import { nameOfSubject } from "./nameOfSubject.ts"

/** Acts on the installation itself belong to no organization. */
export const installationItself = "00000000-0000-0000-0000-000000000000"

/** The act and its subject; `before` and `after` hold facts, never secrets. */
export interface Deed {
  readonly organizationId: string
  readonly act: string
  readonly subject: string
  readonly before: unknown
  readonly after: unknown
}

/** The current instant in the driver's type. */
export const rightNow: Effect.Effect<Date> = Effect.map(DateTime.now, (now) => new Date(DateTime.toEpochMillis(now)))

// The clock has milliseconds, the column microseconds: lines of one organization with the same millisecond keep the order in which they were written.
// The time is not moved further than that, whatever the clock did: a line shows its host's time.
const insertStatement = `insert into activity_log (organization_id, at, actor, act, subject, before, after, reason, subject_name)
  select $1, coalesce(max(at) + interval '1 microsecond', $2), $3, $4, $5, $6, $7, $8, $9
  from activity_log where organization_id = $1 and at >= $2 and at < $2::timestamptz + interval '999 microseconds'`

/** Writes the act's line of the activity log, in the transaction of the act itself. */
export const recordActivity = Effect.fnUntraced(function*(
  tx: PgStatements,
  act: Act,
  deed: Deed
): Effect.fn.Return<void, PgFailure> {
  yield* tx.query(
    insertStatement,
    [
      deed.organizationId,
      yield* rightNow,
      act.actor,
      deed.act,
      deed.subject,
      deed.before === null ? null : JSON.stringify(deed.before),
      deed.after === null ? null : JSON.stringify(deed.after),
      act.reason,
      yield* nameOfSubject(tx, deed)
    ]
  )
})

/** Writes an operator's act on a document, in the commit that carries it out. Without one nothing is sent: a sale costs no more. */
export const recordDeed = (
  tx: PgStatements,
  operation: { readonly organizationId: string; readonly id: string },
  deed: OperatorsDeed | undefined
): Effect.Effect<void, PgFailure> =>
  deed === undefined
    ? Effect.void
    : recordActivity(tx, deed, { organizationId: operation.organizationId, act: deed.act, subject: operation.id, before: null, after: deed.after })
