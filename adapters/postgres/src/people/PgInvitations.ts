import {
  type Act,
  type InvitationEntry,
  Invitations,
  type MemberRole,
  type NewInvitation,
  type NewPerson,
  type OrganizationId,
  PersonActRefused,
  type PersonMail
} from "@overa/domain"
import { DateTime, Effect, Layer, Option, Redacted } from "effect"
import { recordActivity, rightNow } from "../administration/activity.ts"
import { giveFirstRole } from "./memberRole.ts"
import { PgDatabase, type PgStatements } from "../PgDatabase.ts"
import { beginAnew } from "./personRows.ts"
import { insertPerson } from "./PgPeople.ts"
import { type Mails, queueMail, unqueueMails, tellOwners } from "./PgPersonMails.ts"
import { recordAboutPerson } from "./recordAboutPerson.ts"
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
  readonly proves_address: boolean
}

const columns = `i.invitation_id, i.organization_id, o.name as organization_name, i.email, i.role, i.invited_by, i.created_at, i.expires_at, i.proves_address`
const source = "invitations i join organizations o using (organization_id)"

const decode = (row: InvitationRow): InvitationEntry => ({
  id: row.invitation_id,
  organizationId: row.organization_id as OrganizationId,
  organizationName: row.organization_name,
  email: row.email,
  role: row.role,
  invitedBy: row.invited_by,
  createdAt: utc(row.created_at),
  expiresAt: utc(row.expires_at),
  provesAddress: row.proves_address
})

const dateOf = (at: DateTime.Utc): Date => new Date(DateTime.toEpochMillis(at))
const notUsable = () => new PersonActRefused({ reason: "INVITATION_NOT_USABLE" })

/** The message of an invitation has the invitation's id. */
const unqueue = (tx: PgStatements, ended: ReadonlyArray<Pick<InvitationRow, "invitation_id">>) => unqueueMails(tx, ended.map((it) => it.invitation_id))

interface Tools extends Mails {
  readonly database: PgDatabase["Service"]
}

/** Invites in the transaction of the caller. */
export const inviteIn = Effect.fnUntraced(function*(
  tx: PgStatements,
  { secrets, uuid }: Pick<Mails, "secrets" | "uuid">,
  act: Act,
  { at, email, expiresAt, organizationId, role, tokenDigest }: NewInvitation & { readonly organizationId: OrganizationId },
  mail: PersonMail | null
) {
  const members = yield* tx.query("select 1 from members where organization_id = $1 and person = $2 and person_id is not null", [organizationId, email])
  if (members.length > 0) return yield* new PersonActRefused({ reason: "MEMBER_ALREADY_EXISTS" })
  // A new invitation replaces an open one to the same address.
  const replaced = yield* tx.query<Pick<InvitationRow, "invitation_id">>(
    "update invitations set ended_at = $3 where organization_id = $1 and email = $2 and ended_at is null returning invitation_id",
    [organizationId, email, dateOf(at)]
  )
  yield* unqueue(tx, replaced)
  const id = yield* uuid
  yield* tx.query(
    `insert into invitations (invitation_id, organization_id, email, role, token_digest, invited_by, created_at, expires_at, proves_address)
     values ($1, $2, $3, $4, $5, $6, $7, $8, true)`,
    [id, organizationId, email, role, tokenDigest, act.actor, dateOf(at), dateOf(expiresAt)]
  )
  if (mail !== null) yield* queueMail(tx, secrets, id, { ...mail, expiresAt })
  yield* recordActivity(tx, act, { organizationId, act: "member invited", subject: email, before: null, after: { role, by: mail === null ? "link" : "mail" } })
})

const invite = ({ database, ...mails }: Tools): Invitations["Service"]["invite"] =>
  Effect.fn("Invitations.invite")(function*(act, invitation, mail) {
    yield* database.transaction((tx) => inviteIn(tx, mails, act, invitation, mail))
  })

const withdraw = (database: PgDatabase["Service"]): Invitations["Service"]["withdraw"] =>
  Effect.fn("Invitations.withdraw")(function*(act, organizationId, id) {
    const at = dateOf(yield* DateTime.now)
    yield* database.transaction((tx) =>
      Effect.gen(function*() {
        const [row] = yield* tx.query<Pick<InvitationRow, "email" | "invitation_id">>(
          `update invitations set ended_at = $3 where organization_id = $1 and invitation_id::text = $2 and ended_at is null returning email, invitation_id`,
          [organizationId, id, at]
        )
        if (row === undefined) return yield* notUsable()
        yield* unqueue(tx, [row])
        yield* recordActivity(tx, act, { organizationId, act: "invitation withdrawn", subject: row.email, before: null, after: null })
      })
    )
  })

type Newcomer = Pick<NewPerson, "name" | "passwordHash">

/** The account of an address that nobody had proven begins anew: what somebody else may have set in it ends. */
const takeOver = Effect.fnUntraced(function*(tx: PgStatements, act: Act, id: string, { name, passwordHash }: Newcomer) {
  yield* recordAboutPerson(tx, act, id, "address proven")
  yield* beginAnew(tx, id, Redacted.value(passwordHash), yield* rightNow)
  yield* tx.query("update people set name = $2 where person_id = $1", [id, name])
  return id
})

const personFor = Effect.fnUntraced(function*(
  tx: PgStatements,
  uuid: Effect.Effect<string>,
  act: Act,
  { email, proves_address: proves }: Pick<InvitationRow, "email" | "proves_address">,
  newcomer: Newcomer | null
) {
  const [known] = yield* tx.query<{ readonly person_id: string; readonly proven: boolean }>(
    "select person_id, email_proven_at is not null as proven from people where email = $1 for update",
    [email]
  )
  const beginsAnew = known !== undefined && !known.proven && proves
  if (newcomer === null) return known === undefined || beginsAnew ? yield* notUsable() : known.person_id
  if (beginsAnew) return yield* takeOver(tx, act, known.person_id, newcomer)
  // A link never sets the password of an existing account with a proven address.
  if (known !== undefined) return yield* new PersonActRefused({ reason: "PERSON_ALREADY_EXISTS" })
  return yield* insertPerson(tx, uuid, { ...newcomer, email, operator: false }, proves)
})

const accept = ({ database, ...mails }: Tools): Invitations["Service"]["accept"] =>
  Effect.fn("Invitations.accept")(function*(act: Act, tokenDigest, newcomer, at) {
    return yield* database.transaction((tx) =>
      Effect.gen(function*() {
        const [row] = yield* tx.query<Pick<InvitationRow, "organization_id" | "email" | "role" | "proves_address">>(
          `update invitations set ended_at = $2 where token_digest = $1 and ended_at is null and expires_at > $2
           returning organization_id, email, role, proves_address`,
          [tokenDigest, dateOf(at)]
        )
        if (row === undefined) return yield* notUsable()
        const id = yield* personFor(tx, mails.uuid, act, row, newcomer)
        const organizationId = row.organization_id as OrganizationId
        yield* tellOwners(tx, mails, organizationId, "NEW_MEMBER", `${row.email}, ${row.role}`)
        yield* giveFirstRole(tx, act, { organizationId, person: row.email, personId: id, role: row.role })
        return id
      })
    )
  })

/** Invitations into organizations. */
export const layerInvitations = (mails: Mails): Layer.Layer<Invitations, never, PgDatabase> => Layer.effect(
  Invitations,
  Effect.gen(function*() {
    const database = yield* PgDatabase
    const tools = { database, ...mails }
    return Invitations.of({
      invite: invite(tools),
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
      accept: accept(tools)
    })
  })
)
