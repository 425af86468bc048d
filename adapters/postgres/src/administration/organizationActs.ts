import { ActRefused, type OrganizationActs, type OrganizationId } from "@overa/domain"
import { Effect } from "effect"
import { recordActivity, rightNow } from "./activity.ts"
import { type ActTools, requireOrganization } from "./ActTools.ts"

const createOrganization = (tools: ActTools): OrganizationActs["Service"]["createOrganization"] =>
  Effect.fn("OrganizationActs.createOrganization")(function*(act, name) {
    const organizationId = (yield* tools.uuid) as OrganizationId
    yield* tools.database.transaction((tx) =>
      Effect.gen(function*() {
        yield* tx.query("insert into organizations (organization_id, name, created_at) values ($1, $2, $3)", [
          organizationId,
          name,
          yield* rightNow
        ])
        yield* recordActivity(tx, act, {
          organizationId,
          act: "organization created",
          subject: organizationId,
          before: null,
          after: { name }
        })
      })
    )
    return organizationId
  })

const addMember = (tools: ActTools): OrganizationActs["Service"]["addMember"] =>
  Effect.fn("OrganizationActs.addMember")(function*(act, organizationId, { person, role }) {
    yield* tools.database.transaction((tx) =>
      Effect.gen(function*() {
        yield* requireOrganization(tx, organizationId)
        const added = yield* tx.query(
          `insert into members (organization_id, person, role, added_at) values ($1, $2, $3, $4)
           on conflict on constraint members_pk do nothing returning person`,
          [organizationId, person, role, yield* rightNow]
        )
        if (added.length === 0) {
          return yield* new ActRefused({ reason: "MEMBER_ALREADY_EXISTS", detail: `${person} already has a role; remove it first.` })
        }
        yield* recordActivity(tx, act, { organizationId, act: "role given", subject: person, before: null, after: { role } })
      })
    )
  })

const removeMember = (tools: ActTools): OrganizationActs["Service"]["removeMember"] =>
  Effect.fn("OrganizationActs.removeMember")(function*(act, organizationId, person) {
    yield* tools.database.transaction((tx) =>
      Effect.gen(function*() {
        const [removed] = yield* tx.query<{ readonly role: string }>(
          "delete from members where organization_id = $1 and person = $2 returning role",
          [organizationId, person]
        )
        if (removed === undefined) {
          return yield* new ActRefused({ reason: "MEMBER_NOT_FOUND", detail: `${person} has no role in this organization.` })
        }
        yield* recordActivity(tx, act, { organizationId, act: "role taken", subject: person, before: removed, after: null })
      })
    )
  })

/** Organizations and who acts for them: Owners and Administrators (Spec, Introduction 9). */
export const organizationActs = (tools: ActTools): OrganizationActs["Service"] => ({
  createOrganization: createOrganization(tools),
  addMember: addMember(tools),
  removeMember: removeMember(tools)
})
