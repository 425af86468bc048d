import type { MemberRole } from "@overa/domain"
import type pg from "pg"

/** A role as an accepted invitation leaves it: the account's, which must exist. */
export const giveRole = async (client: pg.Client, organizationId: string, email: string, role: MemberRole): Promise<void> => {
  const { rowCount } = await client.query(
    "insert into members (organization_id, person, role, added_at, person_id) select $1, email, $3, now(), person_id from people where email = $2",
    [organizationId, email, role]
  )
  if (rowCount !== 1) throw new Error(`${email} has no account`)
}
