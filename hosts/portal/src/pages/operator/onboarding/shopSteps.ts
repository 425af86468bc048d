import { AccessOversight, type BusinessPremise, type ElementEntry, ElementOversight, type Environment, Installation, Invitations, type OrganizationEntry, productionFiscalization, type TaxpayerEntry, TenancyOversight } from "@overa/domain"
import { DateTime, Effect } from "effect"
import { el, type Html } from "../../../html/el.ts"
import type { PersonVisit } from "../../../http/Visit.ts"
import { environmentWords } from "../../../language/environmentWords.ts"
import { day, moment } from "../../../language/formats.ts"
import { PortalSettings } from "../../../layers.ts"
import { elementStateWords } from "../stateWords.ts"

/** One step of onboarding: whether it is done, and where it is done. */
export interface ShopStep {
  readonly name: string
  readonly state: "done" | "waits" | "missing"
  readonly what: Html
  readonly next: Html
}

/** Where the shop issues first: its first taxpayer, with that one's first premise. */
export interface ShopPlace {
  readonly entry: TaxpayerEntry
  readonly premise: BusinessPremise | null
}

const link = (href: string, text: string): Html => el("a", { href }, text)

/** The shop's first taxpayer; null before there is one. */
export const shopPlace = Effect.fnUntraced(function*({ id }: OrganizationEntry) {
  const entries = yield* (yield* TenancyOversight).taxpayers(id)
  const [entry] = entries.toSorted((one, other) => DateTime.toEpochMillis(one.taxpayer.createdAt) - DateTime.toEpochMillis(other.taxpayer.createdAt))
  return entry === undefined ? null : { entry, premise: entry.premises[0] ?? null } satisfies ShopPlace
})

/** The element that the premise uses, or will use once it is activated. */
export const elementOf = Effect.fnUntraced(function*({ id }: OrganizationEntry, premise: BusinessPremise | null) {
  const entries = (yield* (yield* ElementOversight).elements(id)).filter(({ element }) => element.businessPremiseId === premise?.id)
  const inState = (wanted: ElementEntry["element"]["status"]) => entries.find(({ element }) => element.status === wanted)?.element
  return inState("UPLOADED") ?? inState("ACTIVE") ?? null
})

const ownerStep = Effect.fnUntraced(function*({ say }: PersonVisit, { id }: OrganizationEntry, base: string) {
  const name = say("Позив власнику", "The owner's invitation")
  const owner = (yield* (yield* TenancyOversight).members(id)).find(({ effective, role }) => effective && role === "OWNER")
  if (owner !== undefined) return { name, state: "done", what: owner.person, next: null } satisfies ShopStep
  const now = yield* DateTime.now
  const open = (yield* (yield* Invitations).ofOrganization(id)).find(({ expiresAt, role }) => role === "OWNER" && DateTime.isLessThan(now, expiresAt))
  const again = link(`${base}/members/invite`, say("Позови поново", "Invite again"))
  if (open === undefined) return { name, state: "missing", what: say("Нико није позван, или је позив истекао.", "Nobody is invited, or the invitation has ended."), next: again } satisfies ShopStep
  const { mailConfigured } = yield* PortalSettings
  const until = `${open.email}, ${say("важи до", "until")} ${moment(open.expiresAt)}`
  const how = mailConfigured ? say("Порука је у реду за слање.", "The message is queued.") : say("Линк је приказан једном, при отварању.", "The link was shown once, when the shop was opened.")
  return { name, state: "waits", what: [until, " · ", how], next: again } satisfies ShopStep
})

const placeSteps = ({ say }: PersonVisit, place: ShopPlace | null, base: string): ReadonlyArray<ShopStep> => {
  const [taxpayerName, premiseName] = [say("Обвезник", "Taxpayer"), say("Пословни простор", "Premise")]
  if (place === null) {
    return [
      { name: taxpayerName, state: "missing", what: "–", next: link(`${base}/taxpayers/add`, say("Додај обвезника", "Add a taxpayer")) },
      { name: premiseName, state: "missing", what: "–", next: null }
    ]
  }
  const { entry: { taxpayer }, premise } = place
  return [
    { name: taxpayerName, state: "done", what: `${taxpayer.name} · ${taxpayer.taxIdentifier} · ${environmentWords(say, taxpayer.environment)}`, next: null },
    premise === null
      ? { name: premiseName, state: "missing", what: "–", next: link(`${base}/taxpayers/${taxpayer.id}/premises/add`, say("Додај простор", "Add a premise")) }
      : { name: premiseName, state: "done", what: `${premise.name} · ${premise.puIdentifier}`, next: null }
  ]
}

const elementStep = Effect.fnUntraced(function*({ say }: PersonVisit, organization: OrganizationEntry, place: ShopPlace | null, base: string) {
  const name = say("Безбедносни елемент", "Security element")
  const found = yield* elementOf(organization, place?.premise ?? null)
  if (found === null) return { name, state: "missing", what: "–", next: place?.premise ? link("#element", say("Учитај га испод", "Upload it below")) : null } satisfies ShopStep
  const isActive = found.status === "ACTIVE"
  return {
    name, state: isActive ? "done" : "waits",
    what: `${found.jid} · ${say(...elementStateWords[found.status])} · ${say("до", "until")} ${day(found.validTo)}`,
    next: isActive ? null : link(`${base}/elements/${found.id}/activate`, say("Активирај", "Activate"))
  } satisfies ShopStep
})

const trafficStep = Effect.fnUntraced(function*({ say }: PersonVisit, environment: Environment) {
  const { adapterConfigured, trafficEnabled } = yield* (yield* Installation).settings(environment)
  const isOn = trafficEnabled && adapterConfigured
  const off = adapterConfigured ? say("Саобраћај је искључен.", "Traffic is off.") : say("В-ПФР није подешен.", "The V-PFR is not configured.")
  return {
    name: `${say("Саобраћај", "Traffic")}: ${environmentWords(say, environment)}`, state: isOn ? "done" : "missing", what: isOn ? say("Укључен.", "On.") : off,
    next: isOn ? null : link(`/operator/environments/${environment}`, say("Измени окружење", "Change the environment"))
  } satisfies ShopStep
})

const accessSteps = Effect.fnUntraced(function*({ say }: PersonVisit, { id }: OrganizationEntry, environment: Environment, base: string) {
  const access = yield* AccessOversight
  const credentials = (yield* access.credentials(id)).filter((it) => it.environment === environment && it.revokedAt === null).length
  const isLicensed = productionFiscalization(yield* access.license(id), yield* DateTime.now).productionFiscalizationAllowed
  const licence: ShopStep = {
    name: say("Лиценца за продукцију", "Production licence"), state: isLicensed ? "done" : "missing", what: isLicensed ? say("Важи.", "In force.") : "–",
    next: isLicensed ? null : link(`${base}/licence`, say("Додели лиценцу", "Grant the licence"))
  }
  const credential: ShopStep = {
    name: say("Акредитив за програм продавнице", "Credential for the shop's program"), state: credentials > 0 ? "done" : "waits",
    what: credentials > 0 ? String(credentials) : say("Издаје га власник, или ви.", "The owner issues it, or you."),
    next: credentials > 0 ? null : link(`${base}/credentials/issue`, say("Издај акредитив", "Issue a credential"))
  }
  return environment === "production" ? [licence, credential] : [credential]
})

/** Every step of a shop that is there, as the stores have it now. */
export const shopSteps = Effect.fnUntraced(function*(visit: PersonVisit, organization: OrganizationEntry, place: ShopPlace | null) {
  const { say } = visit
  const base = `/operator/organizations/${organization.id}`
  const environment = place?.entry.taxpayer.environment ?? "sandbox"
  const steps: ReadonlyArray<ShopStep> = [
    { name: say("Организација", "Organization"), state: "done", what: organization.name, next: link(base, say("Отвори", "Open it")) },
    yield* ownerStep(visit, organization, base),
    ...placeSteps(visit, place, base),
    yield* elementStep(visit, organization, place, base),
    yield* trafficStep(visit, environment),
    ...(yield* accessSteps(visit, organization, environment, base))
  ]
  return steps
})
