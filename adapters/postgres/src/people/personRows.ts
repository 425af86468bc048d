import type { MemberRole, Membership, OrganizationId, Person, PortalSession } from "@overa/domain"
import { Effect } from "effect"
import type { PgQueries, PgStatements } from "../PgDatabase.ts"
import type { PgFailure } from "../PgFailure.ts"
import { utc } from "../rows/OperationRow.ts"

/** The row that a person's encrypted second factor is bound to. */
export const personRow = (id: string): string => `people ${id}`

/** A person as a row, with the roles as parallel lists. */
export interface PersonRow {
  readonly person_id: string
  readonly email: string
  readonly name: string
  readonly cashier_name: string | null
  readonly operator: boolean
  readonly address_proven: boolean
  readonly devices_since: Date
  readonly password_given: boolean
  readonly has_authenticator: boolean
  readonly has_passkey: boolean
  readonly organization_ids: ReadonlyArray<string>
  readonly organization_names: ReadonlyArray<string>
  readonly roles: ReadonlyArray<string>
}

/** The columns a `PersonRow` is read from, of `people p`. */
export const personColumns = `p.person_id, p.email, p.name, p.cashier_name, p.operator, p.email_proven_at is not null as address_proven, coalesce(p.devices_since, p.created_at) as devices_since, p.password_given, p.totp_secrets is not null as has_authenticator,
  exists (select from portal_passkeys k where k.person_id = p.person_id) as has_passkey,
  array(select m.organization_id::text from members m where m.person_id = p.person_id order by m.organization_id) as organization_ids,
  array(select o.name from members m join organizations o using (organization_id) where m.person_id = p.person_id
    order by m.organization_id) as organization_names,
  array(select m.role from members m where m.person_id = p.person_id order by m.organization_id) as roles`

/** The person a row holds. */
export const decodePerson = (row: PersonRow): Person => ({
  id: row.person_id,
  email: row.email,
  name: row.name,
  cashierName: row.cashier_name,
  operator: row.operator,
  addressProven: row.address_proven,
  devicesSince: utc(row.devices_since),
  passwordGiven: row.password_given,
  hasAuthenticator: row.has_authenticator,
  hasPasskey: row.has_passkey,
  hasSecondFactor: row.has_authenticator || row.has_passkey,
  memberships: row.organization_ids.map((id, index): Membership => ({
    organizationId: id as OrganizationId,
    organizationName: row.organization_names[index] ?? "",
    role: row.roles[index] as MemberRole
  }))
})

/** A session as a row. */
export interface SessionRow {
  readonly digest: string
  readonly person_id: string
  readonly stage: PortalSession["stage"]
  readonly created_at: Date
  readonly seen_at: Date
  readonly address: string
  readonly device: string
}

/** The columns a `SessionRow` is read from, of `portal_sessions s`. */
export const sessionColumns = "s.digest, s.person_id, s.stage, s.created_at, s.seen_at, s.address, s.device"

/** The session a row holds. */
export const decodeSession = (row: SessionRow): PortalSession => ({
  digest: row.digest,
  personId: row.person_id,
  stage: row.stage,
  createdAt: utc(row.created_at),
  seenAt: utc(row.seen_at),
  address: row.address,
  device: row.device
})

/**
 * Locks the person's row, first in a transaction that opens the person's sessions or ends several: two of them come one after the other, and never deadlock over the rows of sessions.
 * Answers what `devicesSince` is from then on; undefined where there is no such person.
 */
export const lockPersonRow = (tx: PgStatements, personId: string): Effect.Effect<Date | undefined, PgFailure> =>
  Effect.map(tx.query<{ readonly since: Date }>("select coalesce(devices_since, created_at) as since from people where person_id = $1 for no key update", [personId]), ([row]) => row?.since)

/** Ends a person's sessions in the transaction of the change that ends them. */
export const endSessions = (
  statements: PgStatements | PgQueries,
  personId: string,
  keep: string | null
): Effect.Effect<number, PgFailure> =>
  Effect.map(
    statements.query("delete from portal_sessions where person_id = $1 and digest is distinct from $2 returning digest", [personId, keep]),
    (rows) => rows.length
  )

/** Ends the person's link for a new password, and its message if that has not gone yet. */
export const endReset = Effect.fnUntraced(function*(tx: PgStatements, personId: string) {
  yield* tx.query(
    "with ended as (delete from portal_resets where person_id = $1 returning reset_id) delete from portal_mail where mail_id in (select reset_id from ended)",
    [personId]
  )
})

/** Ends the recovery codes of a person who has no second factor any more: they open what a second factor opens. */
export const endIdleRecoveryCodes = Effect.fnUntraced(function*(tx: PgStatements, personId: string) {
  yield* tx.query(
    `delete from portal_recovery_codes where person_id = $1
     and not exists (select from people p where p.person_id = $1 and p.totp_secrets is not null) and not exists (select from portal_passkeys k where k.person_id = $1)`,
    [personId]
  )
})

/** Forgets the person's accounts at issuers: the next sign-in there is the first one again. */
export const forgetIssuerAccounts = Effect.fnUntraced(function*(tx: PgStatements, personId: string) {
  yield* tx.query("delete from portal_issuer_accounts where person_id = $1", [personId])
})

/**
 * A new password, in the transaction of the act: ends sessions but `keep`, known devices, and a link for a new password. One that an operator gives also ends what the issuer's
 * accounts open: the operator knows the person, and the person's account there may be a new one.
 */
export const setPassword = Effect.fnUntraced(function*(tx: PgStatements, personId: string, passwordHash: string, keep: string | null, now: Date, given = false) {
  yield* tx.query("update people set password_hash = $2, password_given = $4, devices_since = $3, updated_at = $3 where person_id = $1", [personId, passwordHash, now, given])
  if (given) yield* forgetIssuerAccounts(tx, personId)
  yield* endReset(tx, personId)
  yield* endSessions(tx, personId, keep)
})

/** Ends everything that was set in an account before its address was proven, and proves it, in the transaction of the act. */
export const beginAnew = Effect.fnUntraced(function*(tx: PgStatements, personId: string, passwordHash: string, now: Date, given = false) {
  yield* tx.query(
    `update people set password_hash = $2, password_given = $4, totp_secrets = null, totp_last_step = null, email_proven_at = $3, devices_since = $3, updated_at = $3 where person_id = $1`,
    [personId, passwordHash, now, given]
  )
  yield* tx.query("delete from portal_passkeys where person_id = $1", [personId])
  yield* endIdleRecoveryCodes(tx, personId)
  yield* forgetIssuerAccounts(tx, personId)
  yield* endReset(tx, personId)
  yield* endSessions(tx, personId, null)
})
