import { ActRefused, BusinessPremiseId, ElementActs, type ElementFacts, ElementOversight, OrganizationActs, type OrganizationEntry, OrganizationId } from "@overa/domain"
import { DateTime, Effect, Result } from "effect"
import { randomUUID } from "node:crypto"
import type { Faults } from "../../../html/forms.ts"
import { redirect, type Reply } from "../../../http/Reply.ts"
import { operatorRoute, type Route } from "../../../http/Route.ts"
import type { PersonVisit } from "../../../http/Visit.ts"
import { NotFound } from "../../../http/visitOf.ts"
import { sentElement } from "../../elementForm.ts"
import { firstInvitation } from "../../members/inviteMember.ts"
import { findOrganization, idParameter } from "../actInput.ts"
import { isOpened, noteOpened } from "../openedFor.ts"
import { operatorAct } from "../reason.ts"
import { type KnownError, refusalWords } from "../refusalWords.ts"
import { faultsIn, hasElement, readReason, readShop, type TypedShop } from "./shopForm.ts"
import { shopFormPage } from "./shopFormPage.ts"
import { shopPage } from "./shopPage.ts"
import { shopPlace } from "./shopSteps.ts"

const start = "/operator/organizations/onboard"
const path = `${start}/:id`

/** Only an id of this page's own making becomes a new organization's; the installation itself, for one, has another kind. */
const ownMaking = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** The shop that the address names, before or after it is there: the address is its key (docs/adr/0379). */
const addressed = Effect.fnUntraced(function*(visit: PersonVisit) {
  const id = OrganizationId.make(yield* idParameter(visit, "id"))
  const organization = yield* findOrganization(id)
  return organization === null && !ownMaking.test(id) ? yield* new NotFound({}) : { id, organization }
})

const show = Effect.fnUntraced(function*(visit: PersonVisit) {
  const { organization } = yield* addressed(visit)
  return yield* organization === null ? shopFormPage(visit) : shopPage(visit, organization)
})

/** Binds the element to the shop's premise. Sent again, it is bound already. Answers why not, by field. */
const bindElement = Effect.fnUntraced(function*(visit: PersonVisit, organization: OrganizationEntry, element: ElementFacts, reason: string) {
  const premise = (yield* shopPlace(organization))?.premise ?? null
  if (premise === null) return yield* new NotFound({})
  const isBound = Effect.map((yield* ElementOversight).elements(organization.id), (found) =>
    found.some((it) => it.element.businessPremiseId === premise.id && it.element.fingerprintSha256 === element.fingerprintSha256))
  const upload = (yield* ElementActs).upload(operatorAct(visit, reason), organization.id, BusinessPremiseId.make(premise.id), element)
  const none: Faults = {}
  return yield* upload.pipe(
    Effect.as(none),
    Effect.catchTag("ActRefused", (refused: ActRefused) =>
      Effect.map(isBound, (bound): Faults => bound ? none : { file: refusalWords(visit, refused as KnownError)?.sentence ?? refused.detail }))
  )
})

/** The organization and everything that is made with it, in one commit. A fault that only the store knows is shown beside its field. */
const openShop = Effect.fnUntraced(function*(visit: PersonVisit, id: OrganizationId, { email, environment, name, reason, taxpayer }: TypedShop) {
  const { invitation, link, mail } = yield* firstInvitation(visit, { organizationName: name, email, role: "OWNER" })
  const isFirst = yield* (yield* OrganizationActs).openShop(operatorAct(visit, reason), { organizationId: id, name, invitation, mail, environment, taxpayer })
  return { isFirst, handed: isFirst && link !== null ? { email, link } : null }
})

/** The reason with which the form was sent is the one for which the shop's page is shown after it (Decisions §13). */
const openFor = (visit: PersonVisit, organization: OrganizationEntry, reason: string) =>
  isOpened(visit, organization) ? Effect.void : noteOpened(visit, organization, reason, visit.path)

const open = Effect.fnUntraced(function*(visit: PersonVisit, id: OrganizationId) {
  const read = yield* readShop(visit)
  if (Result.isFailure(read)) return yield* shopFormPage(visit, read.failure)
  const { element, name, reason } = read.success
  const { handed, isFirst } = yield* openShop(visit, id, read.success)
  const organization: OrganizationEntry = { id, name, createdAt: yield* DateTime.now }
  yield* openFor(visit, organization, reason)
  const faults = element === null ? {} : yield* bindElement(visit, organization, element, reason)
  const isShown = Object.keys(faults).length > 0 || handed !== null
  return isShown ? yield* shopPage(visit, organization, { faults, handed }) : redirect(`${visit.path}?done=${isFirst ? "shop-opened" : "already"}`)
}, (effect, visit) => Effect.catchIf(
  effect,
  (error) => refusalWords(visit, error as KnownError) !== null,
  (error) => shopFormPage(visit, { faults: { taxId: refusalWords(visit, error as KnownError)?.sentence ?? "" }, form: null, registered: visit.form?.text("registered") ?? "" })
))

/** Goes on with a shop that is there. The whole form, sent again, opens nothing; an element that it has is bound if none was. */
const goOn = Effect.fnUntraced(function*(visit: PersonVisit, organization: OrganizationEntry) {
  const reason = yield* readReason(visit)
  if (Result.isSuccess(reason)) yield* openFor(visit, organization, reason.success)
  if (visit.form?.has("organization") === true && !hasElement(visit)) return redirect(`${visit.path}?done=already`)
  const place = yield* shopPlace(organization)
  if (place === null || place.premise === null) return yield* new NotFound({})
  const { environment, taxIdentifier } = place.entry.taxpayer
  const element = Result.map(yield* sentElement(visit, { environment, taxIdentifier }, organization.id), ({ facts }) => facts)
  if (Result.isFailure(element) || Result.isFailure(reason)) return yield* shopPage(visit, organization, { faults: faultsIn(element, reason) })
  const faults = yield* bindElement(visit, organization, element.success, reason.success)
  return Object.keys(faults).length > 0 ? yield* shopPage(visit, organization, { faults }) : redirect(`${visit.path}?done=element-uploaded`)
})

const send = Effect.fnUntraced(function*(visit: PersonVisit) {
  const { id, organization } = yield* addressed(visit)
  const reply: Reply = yield* organization === null ? open(visit, id) : goOn(visit, organization)
  return reply
})

/** Onboarding a shop: one form, and after it the page on which the shop's first steps are looked at. */
export const onboardingRoutes: ReadonlyArray<Route> = [
  operatorRoute("GET", start, () => Effect.sync(() => redirect(`${start}/${randomUUID()}`))),
  operatorRoute("GET", path, show),
  operatorRoute("POST", path, send)
]
