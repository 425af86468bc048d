import { type Act, mayDo, type MemberRole, type OrganizationId, PersonActRefused } from "@overa/domain"
import { Effect } from "effect"
import { recordActivity, rightNow } from "../administration/activity.ts"
import type { PgStatements } from "../PgDatabase.ts"
import { endMonthMails } from "./endMonthMails.ts"

/** A person's new role in an organization; null removes it. */
export interface RoleChange {
  readonly organizationId: OrganizationId
  readonly person: string
  readonly role: MemberRole | null
}

interface MemberRow {
  readonly effective: boolean
  readonly person: string
  readonly person_id: string | null
  readonly role: MemberRole
}

const write = Effect.fnUntraced(function*(tx: PgStatements, { organizationId, person, role }: RoleChange) {
  if (role === null) {
    yield* tx.query("delete from members where organization_id = $1 and person = $2", [organizationId, person])
    // A session in this organization ends with the role; one in another organization continues.
    return yield* tx.query(
      "delete from portal_sessions s using people p where p.email = $2 and s.person_id = p.person_id and s.organization_id = $1",
      [organizationId, person]
    )
  }
  return yield* tx.query("update members set role = $3 where organization_id = $1 and person = $2", [organizationId, person, role])
})

/** Changes or removes a role, in a transaction. The rows of all members are locked, so two Owners cannot remove each other at once. */
export const giveRole = Effect.fnUntraced(function*(tx: PgStatements, act: Act, change: RoleChange) {
  const members = yield* tx.query<MemberRow>(
    "select person, person_id, role, person_id is not null as effective from members where organization_id = $1 order by person for update",
    [change.organizationId]
  )
  const member = members.find((it) => it.person === change.person)
  if (member === undefined) return yield* new PersonActRefused({ reason: "MEMBER_NOT_FOUND" })
  const owners = members.filter((it) => it.role === "OWNER" && it.effective)
  const losesLastOwner = member.role === "OWNER" && member.effective && owners.length === 1 && change.role !== "OWNER"
  if (losesLastOwner) return yield* new PersonActRefused({ reason: "LAST_OWNER" })
  yield* write(tx, change)
  if (member.person_id !== null && (change.role === null || !mayDo(change.role, "reports:read"))) yield* endMonthMails(tx, act, change.organizationId, member.person_id)
  yield* recordActivity(tx, act, {
    organizationId: change.organizationId,
    act: change.role === null ? "role taken" : "role changed",
    subject: change.person,
    before: { role: member.role },
    after: change.role === null ? null : { role: change.role }
  })
})

/** Gives a first role to somebody who has none in the organization. */
export const giveFirstRole = Effect.fnUntraced(function*(
  tx: PgStatements,
  act: Act,
  change: RoleChange & { readonly personId: string; readonly role: MemberRole }
) {
  // A role of an earlier release that waits for an account is no role yet: this one takes its place.
  const added = yield* tx.query(
    `insert into members (organization_id, person, role, added_at, person_id) values ($1, $2, $3, $4, $5)
     on conflict on constraint members_pk do update set role = excluded.role, added_at = excluded.added_at, person_id = excluded.person_id
       where members.person_id is null returning person`,
    [change.organizationId, change.person, change.role, yield* rightNow, change.personId]
  )
  if (added.length === 0) return yield* new PersonActRefused({ reason: "MEMBER_ALREADY_EXISTS" })
  yield* recordActivity(tx, act, {
    organizationId: change.organizationId,
    act: "role given",
    subject: change.person,
    before: null,
    after: { role: change.role }
  })
})
