import { ActRefused, type OrganizationId } from "@overa/domain"
import { Effect } from "effect"
import type { PgDatabase, PgStatements } from "../PgDatabase.ts"
import type { Mails } from "../people/PgPersonMails.ts"

/** The tools of every group of acts. */
export interface ActTools extends Mails {
  readonly database: PgDatabase["Service"]
}

/** Refuses an act on an organization that does not exist. */
export const requireOrganization = Effect.fnUntraced(function*(tx: PgStatements, organizationId: OrganizationId) {
  const rows = yield* tx.query("select 1 from organizations where organization_id = $1", [organizationId])
  if (rows.length === 0) {
    return yield* new ActRefused({ reason: "ORGANIZATION_NOT_FOUND", detail: `There is no organization ${organizationId}.` })
  }
})
