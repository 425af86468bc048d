import { askMailServer } from "@overa/adapter-mail"
import { chainsToRoot, trustedRoots } from "@overa/adapter-vpfr"
import {
  AccessOversight, type BusinessPremise, type ChainFound, DeliveryStore, ElementOversight, endingLabels, groupAt, licenseGate, type MailFound,
  MailTransport, ProductStore, type SecurityElement, SecurityElements, type TaxpayerEntry, TaxRates, type VpfrFound
} from "@overa/domain"
import { Clock, DateTime, Effect, Result } from "effect"
import type { RehearsalConfig } from "./rehearseShop.ts"

/** The shop that rehearses: its premise, its taxpayer, its elements. */
export const readShop = Effect.fnUntraced(function*({ entry, premise }: { readonly entry: TaxpayerEntry; readonly premise: BusinessPremise }) {
  const elements = (yield* (yield* ElementOversight).elements(entry.organizationId)).filter(({ element }) => element.businessPremiseId === premise.id)
  const of = (...statuses: ReadonlyArray<SecurityElement["status"]>) => elements.find(({ element }) => statuses.includes(element.status)) ?? null
  return {
    premise,
    taxpayer: entry.taxpayer,
    tenant: { organizationId: entry.organizationId, environment: premise.environment },
    // An expired one is named as what it is.
    active: of("ACTIVE") ?? of("EXPIRED"),
    uploaded: of("UPLOADED")
  }
})

export type Shop = Effect.Success<ReturnType<typeof readShop>>

/** What the element's certificate proves, opened from the vault. */
export const readChain = Effect.fnUntraced(function*({ active, tenant }: Shop, config: RehearsalConfig) {
  if (active === null) return { _tag: "NoElement" } satisfies ChainFound
  const roots = yield* trustedRoots(config.vpfr)
  const opened = yield* Effect.result((yield* SecurityElements).open(tenant.organizationId, active.element.id))
  if (Result.isFailure(opened)) return { _tag: "NotOpened", detail: opened.failure.detail } satisfies ChainFound
  const now = yield* Clock.currentTimeMillis
  const found: ChainFound = {
    _tag: "Opened",
    chainTrusted: chainsToRoot(opened.success.certificateChain, roots[tenant.environment], now),
    tin: opened.success.tin
  }
  return found
})

const noRates = { rates: null, labels: [] as ReadonlyArray<string> }

/** The V-PFR's rates, how long it took to answer, and the catalogue compared with them. */
export const readRates = Effect.fnUntraced(function*({ active, taxpayer, tenant }: Shop) {
  if (active === null) return { ...noRates, vpfr: { _tag: "NoElement" } satisfies VpfrFound as VpfrFound }
  const from = yield* Clock.currentTimeMillis
  const asked = yield* Effect.result((yield* TaxRates).fresh(tenant, active.element.id))
  const millis = (yield* Clock.currentTimeMillis) - from
  if (Result.isFailure(asked)) return { ...noRates, vpfr: { _tag: "NoAnswer", detail: asked.failure.detail } satisfies VpfrFound as VpfrFound }
  const vpfr: VpfrFound = { _tag: "Answered", millis }
  const { groups } = asked.success
  const now = yield* DateTime.now
  const current = groupAt(groups, now)
  if (current === null) return { ...noRates, vpfr }
  const products = yield* (yield* ProductStore).all(tenant, taxpayer.id)
  const sold = products.filter(({ isActive }) => isActive)
  const known = new Set(current.rates.map(({ label }) => label))
  return {
    vpfr,
    group: current,
    rates: { groupId: current.groupId, products: sold.length, ending: endingLabels(products, groups, now) },
    // In the catalogue's order, each once; an ended label would only have the Training document refused for what this step says already.
    labels: [...new Set(sold.flatMap(({ taxLabels }) => taxLabels))].filter((label) => known.has(label))
  }
})

/** How many credentials of the shop's environment can ask for tokens. */
export const countCredentials = Effect.fnUntraced(function*({ tenant }: Shop) {
  const credentials = yield* (yield* AccessOversight).credentials(tenant.organizationId)
  return credentials.filter(({ environment, revokedAt }) => environment === tenant.environment && revokedAt === null).length
})

/** Deliveries of the shop, its licence for them, and the mail server, which is asked only where deliveries are on. */
export const readMail = Effect.fnUntraced(function*({ taxpayer, tenant }: Shop, config: RehearsalConfig) {
  const { enabled } = yield* (yield* DeliveryStore).settings(tenant.organizationId, taxpayer.id)
  const license = yield* (yield* AccessOversight).license(tenant.organizationId)
  const now = yield* DateTime.now
  const found: MailFound = {
    enabled,
    licensed: Result.isSuccess(licenseGate(license, { environment: tenant.environment, use: "EMAIL", now })),
    server: config.mail === null || !enabled ? null : { fault: yield* askMailServer(config.mail) },
    failures: (yield* (yield* MailTransport).state).failures
  }
  return found
})
