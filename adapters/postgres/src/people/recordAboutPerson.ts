import { type Act, PersonActRefused } from "@overa/domain"
import { Effect } from "effect"
import { installationItself, recordActivity } from "../administration/activity.ts"
import type { PgStatements } from "../PgDatabase.ts"

/**
 * Logs an act on a person, in the transaction of the act: in every organization in which the person has a role, or for the installation where there
 * is none.
 */
export const recordAboutPerson = Effect.fnUntraced(function*(tx: PgStatements, act: Act, id: string, deed: string, after: object | null = null) {
  const rows = yield* tx.query<{ readonly email: string; readonly organization_id: string | null }>(
    "select p.email, m.organization_id from people p left join members m on m.person = p.email where p.person_id = $1 order by 2",
    [id]
  )
  if (rows.length === 0) return yield* new PersonActRefused({ reason: "PERSON_NOT_FOUND" })
  for (const row of rows) {
    const organizationId = row.organization_id ?? installationItself
    yield* recordActivity(tx, act, { organizationId, act: deed, subject: row.email, before: null, after })
  }
})
