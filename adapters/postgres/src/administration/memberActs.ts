import { ActRefused, type TenancyActs } from "@overa/domain"
import { Effect } from "effect"
import { recordActivity, rightNow } from "./activity.ts"
import { type ActTools, requireOrganization } from "./ActTools.ts"

const addMember = (tools: ActTools): TenancyActs["addMember"] =>
  Effect.fn("Administration.addMember")(function*(act, organizationId, { person, role }) {
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

const removeMember = (tools: ActTools): TenancyActs["removeMember"] =>
  Effect.fn("Administration.removeMember")(function*(act, organizationId, person) {
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

/** Who acts for an organization: Owners and Administrators (Spec, Introduction 9). */
export const memberActs = (tools: ActTools): Pick<TenancyActs, "addMember" | "removeMember"> => ({
  addMember: addMember(tools),
  removeMember: removeMember(tools)
})
