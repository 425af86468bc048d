import { newTokenKey } from "@overa/adapter-identity"
import { AccessActs, CredentialActs, type Act, DeliveryActs, ElementActs, type Environment, type GrantableScope, InstallationActs, managementScope, noDeliverySettings, OrganizationActs, type OrganizationId, Scope, TaxpayerActs, webhookScope } from "@overa/domain"
import { DateTime, Effect, Redacted } from "effect"
import { type Company, companies, poolHolder } from "./companies.ts"
import { type FarEnd, newElement } from "./elements.ts"
import type { SeededSandbox, SeededShop } from "./SeededSandbox.ts"

const act: Act = { actor: "sandbox", reason: "first start of the sandbox" }

/** Spare elements: every premise registered through the API takes one. */
const sparePoolElements = 16

/**
 * A stand-in for the number that the tax authority assigns: production is closed without one (Decisions §10). The sandbox has none, as before
 * approval.
 */
const standInEsirNumber = "999/0.1"

const settings = {
  sandbox: { trafficEnabled: true, esirNumber: "", vatCategories: ["VAT"] },
  production: { trafficEnabled: true, esirNumber: standInEsirNumber, vatCategories: ["О-ПДВ", "П-ПДВ", "Без ПДВ"] }
} as const

const setInstallation = Effect.gen(function*() {
  const accessActs = yield* AccessActs
  const installationActs = yield* InstallationActs
  yield* accessActs.addTokenKey(act, yield* newTokenKey)
  yield* installationActs.changeEnvironment(act, "sandbox", settings.sandbox)
  yield* installationActs.changeEnvironment(act, "production", settings.production)
})

const issueClient = Effect.fnUntraced(function*(organizationId: OrganizationId, environment: Environment | null, more: ReadonlyArray<GrantableScope> = []) {
  const credentialActs = yield* CredentialActs
  const issued = yield* credentialActs.issueCredential(act, organizationId, environment, [...Scope.literals, ...more])
  return { clientId: issued.clientId, clientSecret: Redacted.value(issued.clientSecret) }
})

/** A company with one premise, an active element and a credential of its own. */
const openShop = Effect.fn("openShop")(function*(farEnd: FarEnd, organizationId: OrganizationId, company: Company) {
  const elementActs = yield* ElementActs
  const taxpayerActs = yield* TaxpayerActs
  const deliveryActs = yield* DeliveryActs
  const element = yield* newElement(farEnd, company)
  // A sandbox premise takes its element from the pool; a production premise gets its own.
  if (company.environment === "sandbox") yield* elementActs.addToPool(act, element)
  const { premises, taxpayer } = yield* taxpayerActs.createTaxpayer(act, organizationId, company.environment, company.taxpayer)
  const [created] = premises
  if (created === undefined) return yield* Effect.die(new Error(`${taxpayer.name} has no premise`))
  if (company.environment === "production") {
    const id = yield* elementActs.upload(act, organizationId, created.premise.id, element)
    yield* elementActs.activate(act, organizationId, id)
  }
  yield* deliveryActs.changeDelivery(act, organizationId, taxpayer.id, {
    ...noDeliverySettings,
    enabled: true,
    senderName: company.taxpayer.name
  })
  const client = yield* issueClient(organizationId, company.environment)
  const shop: SeededShop = { ...client, taxpayerId: taxpayer.id, businessPremiseId: created.premise.id }
  return { shop, jid: element.jid }
})

const fillPool = Effect.fn("fillPool")(function*(farEnd: FarEnd, keysOf: string) {
  const elementActs = yield* ElementActs
  const spare = newElement(farEnd, poolHolder, keysOf)
  const all = yield* Effect.all(Array.from({ length: sparePoolElements }, () => spare), { concurrency: 2 })
  yield* Effect.forEach(all, (element) => elementActs.addToPool(act, element), { discard: true })
})

/**
 * Creates the ready sandbox: organization, shop, the same shop in production with licence and modules, another organization, and a credential without
 * environment. Elements come from the simulator as files and go through the real upload.
 */
export const seedSandbox = Effect.fn("seedSandbox")(function*(farEnd: FarEnd) {
  const organizationActs = yield* OrganizationActs
  const accessActs = yield* AccessActs
  yield* setInstallation
  const organizationId = yield* organizationActs.createOrganization(act, "Књижара Зора д.о.о.")
  const otherOrganizationId = yield* organizationActs.createOrganization(act, "Мала Пекара д.о.о.")
  // One after the other: each sandbox shop takes from the pool the element that was made for it.
  const sandbox = yield* openShop(farEnd, organizationId, companies.sandbox)
  const production = yield* openShop(farEnd, organizationId, companies.production)
  const other = yield* openShop(farEnd, otherOrganizationId, companies.other)
  yield* fillPool(farEnd, sandbox.jid)
  yield* accessActs.grantLicense(act, organizationId, {
    startsAt: DateTime.subtract(yield* DateTime.now, { days: 1 }),
    expiresAt: null,
    modules: ["advance", "email"]
  })
  const seeded: SeededSandbox = {
    organizationId,
    sandbox: sandbox.shop,
    production: production.shop,
    other: other.shop,
    noEnvironment: yield* issueClient(organizationId, null),
    webhooks: {
      sandbox: yield* issueClient(organizationId, "sandbox", [webhookScope]),
      production: yield* issueClient(organizationId, "production", [webhookScope]),
      other: yield* issueClient(otherOrganizationId, "sandbox", [webhookScope])
    },
    management: yield* issueClient(organizationId, "sandbox", [managementScope])
  }
  return seeded
})
