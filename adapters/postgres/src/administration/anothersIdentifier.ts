import { type Act, type Environment, RegistrationsPaused, takenIdentifiers } from "@overa/domain"
import { Effect } from "effect"
import type { PgStatements } from "../PgDatabase.ts"
import { recordActivity, rightNow } from "./activity.ts"

const told = "taxpayer registration refused"

const tried = "The organization asked for tax identifiers that other organizations have: by mistake, or to learn who they are. It registers nothing until a day after the first of these tries. The activity log names each (taxpayer registration refused)."

const raise = `insert into attention (organization_id, kind, detail, raised_at) values ($1, 'IDENTIFIERS_TRIED', $2, $3)
on conflict (organization_id, kind) where operation_id is null and element_id is null and person_id is null and acknowledged_at is null do nothing`

/** The times of the last day at which the organization was told so, oldest first. */
const timesTold = Effect.fnUntraced(function*(tx: PgStatements, organizationId: string, now: Date) {
  const rows = yield* tx.query<{ readonly at: Date }>(
    "select at from activity_log where organization_id = $1 and at > $2 and act = $3 order by at",
    [organizationId, new Date(now.getTime() - takenIdentifiers.withinMillis), told]
  )
  return rows.map(({ at }) => at.getTime())
})

/**
 * Whether the tax identifier belongs to another organization. Says so a few times a day only, and notes each time; after that the identifier is not even
 * looked up. The caller holds the row lock of the organization, so that concurrent requests count each other.
 */
export const isAnothers = Effect.fnUntraced(function*(
  tx: PgStatements,
  act: Act,
  owner: { readonly organizationId: string; readonly environment: Environment },
  taxIdentifier: string
) {
  const { environment, organizationId } = owner
  const now = yield* rightNow
  const times = yield* timesTold(tx, organizationId, now)
  const oldest = times.at(-takenIdentifiers.most)
  if (oldest !== undefined) {
    return yield* new RegistrationsPaused({ retryAfterSeconds: Math.max(1, Math.ceil((oldest + takenIdentifiers.withinMillis - now.getTime()) / 1000)) })
  }
  // An identifier of production is nobody's before an operator or an element confirms it: nothing is told there.
  if (environment === "production") return false
  const [known] = yield* tx.query(
    "select 1 from directory_taxpayers where environment = $1 and tax_identifier = $2 and organization_id <> $3",
    [environment, taxIdentifier, organizationId]
  )
  if (known === undefined) return false
  yield* recordActivity(tx, act, { organizationId, act: told, subject: taxIdentifier, before: null, after: { environment } })
  if (times.length + 1 >= takenIdentifiers.most) yield* tx.query(raise, [organizationId, tried, now])
  return true
})
