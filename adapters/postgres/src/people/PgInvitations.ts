import {
  type Act,
  Identifiers,
  type InvitationEntry,
  Invitations,
  type MemberRole,
  type NewPerson,
  type OrganizationId,
  PersonActRefused
} from "@overa/domain"
import { DateTime, Effect, Layer, Option } from "effect"
import { recordActivity } from "../administration/activity.ts"
import { giveFirstRole } from "./memberRole.ts"
import { PgDatabase, type PgStatements } from "../PgDatabase.ts"
import { insertPerson } from "./PgPeople.ts"
import { utc } from "../rows/OperationRow.ts"

interface InvitationRow {
  readonly invitation_id: string
  readonly organization_id: string
  readonly organization_name: string
  readonly email: string
  readonly role: MemberRole
  readonly invited_by: string
  readonly created_at: Date
  readonly expires_at: Date
}

const columns = `i.invitation_id, i.organization_id, o.name as organization_name, i.email, i.role, i.invited_by, i.created_at, i.expires_at`
const source = "invitations i join organizations o using (organization_id)"

const decode = (row: InvitationRow): InvitationEntry => ({
  id: row.invitation_id,
  organizationId: row.organization_id as OrganizationId,
  organizationName: row.organization_name,
  email: row.email,
  role: row.role,
  invitedBy: row.invited_by,
  createdAt: utc(row.created_at),
  expiresAt: utc(row.expires_at)
})

const dateOf = (at: DateTime.Utc): Date => new Date(DateTime.toEpochMillis(at))
const notUsable = () => new PersonActRefused({ reason: "INVITATION_NOT_USABLE" })

const invite = (database: PgDatabase["Service"], uuid: Effect.Effect<string>): Invitations["Service"]["invite"] =>
  Effect.fn("Invitations.invite")(function*(act, { at, email, expiresAt, organizationId, role, tokenDigest }) {
    yield* database.transaction((tx) =>
      Effect.gen(function*() {
        const members = yield* tx.query("select 1 from members where organization_id = $1 and person = $2 and person_id is not null", [organizationId, email])
        if (members.length > 0) return yield* new PersonActRefused({ reason: "MEMBER_ALREADY_EXISTS" })
        // A new invitation replaces an open one to the same address.
        yield* tx.query("update invitations set ended_at = $3 where organization_id = $1 and email = $2 and ended_at is null", [organizationId, email, dateOf(at)])
        yield* tx.query(
          `insert into invitations (invitation_id, organization_id, email, role, token_digest, invited_by, created_at, expires_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8)`,
          [yield* uuid, organizationId, email, role, tokenDigest, act.actor, dateOf(at), dateOf(expiresAt)]
        )
        yield* recordActivity(tx, act, { organizationId, act: "member invited", subject: email, before: null, after: { role } })
      })
    )
  })

const withdraw = (database: PgDatabase["Service"]): Invitations["Service"]["withdraw"] =>
  Effect.fn("Invitations.withdraw")(function*(act, organizationId, id) {
    const at = dateOf(yield* DateTime.now)
    yield* database.transaction((tx) =>
      Effect.gen(function*() {
        const [row] = yield* tx.query<{ readonly email: string }>(
          `update invitations set ended_at = $3 where organization_id = $1 and invitation_id::text = $2 and ended_at is null returning email`,
          [organizationId, id, at]
        )
        if (row === undefined) return yield* notUsable()
        yield* recordActivity(tx, act, { organizationId, act: "invitation withdrawn", subject: row.email, before: null, after: null })
      })
    )
  })

const personFor = Effect.fnUntraced(function*(
  tx: PgStatements,
  uuid: Effect.Effect<string>,
  email: string,
  newcomer: Pick<NewPerson, "name" | "passwordHash"> | null
) {
  const [known] = yield* tx.query<{ readonly person_id: string }>("select person_id from people where email = $1", [email])
  if (newcomer === null) return known === undefined ? yield* notUsable() : known.person_id
  // A link never sets the password of an existing account with this address.
  if (known !== undefined) return yield* new PersonActRefused({ reason: "PERSON_ALREADY_EXISTS" })
  return yield* insertPerson(tx, uuid, { ...newcomer, email, operator: false }, false)
})

const accept = (database: PgDatabase["Service"], uuid: Effect.Effect<string>): Invitations["Service"]["accept"] =>
  Effect.fn("Invitations.accept")(function*(act: Act, tokenDigest, newcomer, at) {
    return yield* database.transaction((tx) =>
      Effect.gen(function*() {
        const [row] = yield* tx.query<Pick<InvitationRow, "organization_id" | "email" | "role">>(
          `update invitations set ended_at = $2 where token_digest = $1 and ended_at is null and expires_at > $2
           returning organization_id, email, role`,
          [tokenDigest, dateOf(at)]
        )
        if (row === undefined) return yield* notUsable()
        const id = yield* personFor(tx, uuid, row.email, newcomer)
        const organizationId = row.organization_id as OrganizationId
        yield* giveFirstRole(tx, act, { organizationId, person: row.email, personId: id, role: row.role })
        return id
      })
    )
  })

/** Invitations into organizations. */
export const layerInvitations: Layer.Layer<Invitations, never, PgDatabase | Identifiers> = Layer.effect(
  Invitations,
  Effect.gen(function*() {
    const database = yield* PgDatabase
    const { uuid } = yield* Identifiers
    return Invitations.of({
      invite: invite(database, uuid),
      ofOrganization: Effect.fn("Invitations.ofOrganization")(function*(organizationId: OrganizationId) {
        const rows = yield* database.read<InvitationRow>(
          `select ${columns} from ${source} where i.organization_id = $1 and i.ended_at is null order by i.created_at desc`,
          [organizationId]
        )
        return rows.map(decode)
      }),
      find: Effect.fn("Invitations.find")(function*(tokenDigest: string, at: DateTime.Utc) {
        const [row] = yield* database.read<InvitationRow>(
          `select ${columns} from ${source} where i.token_digest = $1 and i.ended_at is null and i.expires_at > $2`,
          [tokenDigest, dateOf(at)]
        )
        return Option.map(Option.fromNullishOr(row), decode)
      }),
      withdraw: withdraw(database),
      accept: accept(database, uuid)
    })
  })
)
