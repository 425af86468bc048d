import { AttentionOversight, type OrganizationEntry, People, type StoreUnavailable } from "@overa/domain"
import { Effect, Option } from "effect"
import type { Reply } from "../../http/Reply.ts"
import type { Route } from "../../http/Route.ts"
import type { PersonVisit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"
import type { PortalServices } from "../../layers.ts"
import { findOrganization, idParameter, organizationOf } from "./actInput.ts"
import { isOpened, noteOpened, whyPage } from "./openedFor.ts"
import { isReason } from "./reason.ts"
import { openedOperation } from "./unknownPages.ts"

type Shown = (visit: PersonVisit) => Effect.Effect<OrganizationEntry | null, NotFound | StoreUnavailable, PortalServices>

const ofOperation: Shown = (visit) => Effect.map(openedOperation(visit), ({ organization }) => organization)

/** The activity log of the installation is the operator's own; an organization's is named in the query. */
const ofQuery: Shown = Effect.fnUntraced(function*({ query }: PersonVisit) {
  const wanted = query.get("organization")
  if (wanted === null) return null
  return (yield* findOrganization(wanted)) ?? (yield* new NotFound({}))
})

/** An item about a person is about the organization in which the person has a role; one about an operator, or the installation, is the operator's own. */
const ofItem: Shown = Effect.fnUntraced(function*(visit: PersonVisit) {
  const found = Option.getOrNull(yield* (yield* AttentionOversight).attention(yield* idParameter(visit, "item")))
  if (found === null) return yield* new NotFound({})
  const person = found.personId === null ? null : Option.getOrNull(yield* (yield* People).find(found.personId))
  const wanted = person === null ? found.organizationId : person.memberships[0]?.organizationId
  return yield* findOrganization(wanted)
})

/** The shop that is being onboarded, once it is there: the form of one that is not shows nothing of anybody. */
const ofNewShop: Shown = (visit) => Effect.catchTag(organizationOf(visit), "NotFound", () => Effect.succeed(null))

const shownAt: ReadonlyArray<readonly [path: string, shown: Shown]> = [
  ["/operator/organizations/:id", organizationOf],
  ["/operator/organizations/onboard/:id", ofNewShop],
  ["/operator/unknown/:operation", ofOperation],
  ["/operator/attention/:item", ofItem],
  ["/operator/activity", ofQuery]
]

/** How the organization is found whose data a page of the operator shows; null for a page of the installation itself. */
export const organizationShown = (path: string): Shown | null => shownAt.find(([start]) => path === start || path.startsWith(`${start}/`))?.[1] ?? null

const addressOf = ({ path, query }: PersonVisit): string => query.size === 0 ? path : `${path}?${query.toString()}`

const behind = Effect.fnUntraced(function*(visit: PersonVisit, { method, serve }: Route, shown: Shown) {
  const organization = yield* shown(visit)
  if (organization === null || isOpened(visit, organization)) return yield* serve(visit)
  if (method === "GET") return whyPage(visit, organization, addressOf(visit))
  // An act asks for its own reason. Where it shows its form again, that reason is the one for which the data is shown.
  const reason = visit.form?.text("reason") ?? ""
  if (!isReason(reason)) return whyPage(visit, organization, visit.path, "wanted")
  const reply: Reply = yield* serve(visit)
  if (reply._tag === "Page" && reply.status === 422) yield* noteOpened(visit, organization, reason, visit.path)
  return reply
})

/** The route, where everything that shows an organization's data asks for the reason first (Decisions §13). */
export const behindReason = (route: Route): Route => {
  const shown = organizationShown(route.path)
  return shown === null ? route : { ...route, serve: (visit) => behind(visit as PersonVisit, route, shown) }
}
