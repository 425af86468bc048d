import { type Act, ActRefused, type OrganizationActs, type OrganizationId } from "@overa/domain"
import { Effect } from "effect"
import { recordActivity, rightNow } from "./activity.ts"
import { type ActTools, requireOrganization } from "./ActTools.ts"
import { createTaxpayerIn } from "./taxpayerActs.ts"
import { endMonthMails } from "../people/endMonthMails.ts"
import { giveFirstRole } from "../people/memberRole.ts"
import { inviteIn } from "../people/PgInvitations.ts"
import { tellOwners } from "../people/PgPersonMails.ts"
import type { PgStatements } from "../PgDatabase.ts"

/** False where the organization is there already, or is being created by another transaction, for whose commit this one waits. */
const insertOrganization = Effect.fnUntraced(function*(tx: PgStatements, act: Act, organizationId: OrganizationId, name: string) {
  const created = yield* tx.query(
    "insert into organizations (organization_id, name, created_at) values ($1, $2, $3) on conflict (organization_id) do nothing returning organization_id",
    [organizationId, name, yield* rightNow]
  )
  if (created.length === 0) return false
  yield* recordActivity(tx, act, { organizationId, act: "organization created", subject: organizationId, before: null, after: { name } })
  return true
})

const createOrganization = (tools: ActTools): OrganizationActs["Service"]["createOrganization"] =>
  Effect.fn("OrganizationActs.createOrganization")(function*(act, name) {
    const organizationId = (yield* tools.uuid) as OrganizationId
    yield* tools.database.transaction((tx) => insertOrganization(tx, act, organizationId, name))
    return organizationId
  })

const openShop = (tools: ActTools): OrganizationActs["Service"]["openShop"] =>
  Effect.fn("OrganizationActs.openShop")(function*(act, { environment, invitation, mail, name, organizationId, taxpayer }) {
    return yield* tools.database.transaction((tx) =>
      Effect.gen(function*() {
        if (!(yield* insertOrganization(tx, act, organizationId, name))) return false
        yield* inviteIn(tx, tools, act, { ...invitation, organizationId }, mail)
        yield* createTaxpayerIn(tx, tools, act, { organizationId, environment }, taxpayer, true)
        return true
      })
    )
  })

/** The account that a role is given to. An address alone is nobody: whoever made an account with it would have the role. */
const provenPerson = Effect.fnUntraced(function*(tx: PgStatements, email: string) {
  const [account] = yield* tx.query<{ readonly person_id: string; readonly proven: boolean }>(
    "select person_id, email_proven_at is not null as proven from people where email = $1 for update",
    [email]
  )
  if (account === undefined) {
    return yield* new ActRefused({ reason: "PERSON_NOT_FOUND", detail: `${email} has no account; add the person first, then give the role.` })
  }
  if (!account.proven) {
    const detail = `Nobody has shown that the account ${email} belongs to the owner of that address; give the person a new password first.`
    return yield* new ActRefused({ reason: "ADDRESS_NOT_PROVEN", detail })
  }
  return account.person_id
})

const addMember = (tools: ActTools): OrganizationActs["Service"]["addMember"] =>
  Effect.fn("OrganizationActs.addMember")(function*(act, organizationId, { person, role }) {
    yield* tools.database.transaction((tx) =>
      Effect.gen(function*() {
        yield* requireOrganization(tx, organizationId)
        const personId = yield* provenPerson(tx, person)
        yield* tellOwners(tx, tools, organizationId, "NEW_MEMBER", `${person}, ${role}`)
        yield* giveFirstRole(tx, act, { organizationId, person, personId, role }).pipe(
          Effect.catchTag("PersonActRefused", () =>
            new ActRefused({ reason: "MEMBER_ALREADY_EXISTS", detail: `${person} already has a role; remove it first.` }))
        )
      })
    )
  })

const removeMember = (tools: ActTools): OrganizationActs["Service"]["removeMember"] =>
  Effect.fn("OrganizationActs.removeMember")(function*(act, organizationId, person) {
    yield* tools.database.transaction((tx) =>
      Effect.gen(function*() {
        const [removed] = yield* tx.query<{ readonly role: string; readonly person_id: string | null }>(
          "delete from members where organization_id = $1 and person = $2 returning role, person_id",
          [organizationId, person]
        )
        if (removed === undefined) {
          return yield* new ActRefused({ reason: "MEMBER_NOT_FOUND", detail: `${person} has no role in this organization.` })
        }
        if (removed.person_id !== null) yield* endMonthMails(tx, act, organizationId, removed.person_id)
        yield* recordActivity(tx, act, { organizationId, act: "role taken", subject: person, before: { role: removed.role }, after: null })
      })
    )
  })

/** Organizations and who acts for them: Owners and Administrators (Spec, Introduction 9). */
export const organizationActs = (tools: ActTools): OrganizationActs["Service"] => ({
  createOrganization: createOrganization(tools),
  openShop: openShop(tools),
  addMember: addMember(tools),
  removeMember: removeMember(tools)
})
