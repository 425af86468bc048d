import {
  BusinessPremiseId,
  CompanyRegister,
  ElementContacts,
  Identifiers,
  InFlight,
  Installation,
  LicenseRegister,
  OrganizationId,
  type PremiseForIssuing,
  ProductReferences,
  SecurityElementId,
  SellerDetails,
  TaxpayerId,
  type TaxRate,
  TaxRates,
  TenancyDirectory,
  type Tenant
} from "@overa/domain"
import { BigDecimal, Clock, DateTime, Effect, Layer, Option } from "effect"

/** The particulars of a shop; everything else that a small host needs has defaults. */
export interface SmallShop {
  readonly taxIdentifier: string
  readonly name: string
  /** Tax labels with their rates in percent, e.g. `{ "Ђ": "20" }`. */
  readonly labels: Readonly<Record<string, string>>
}

const longAgo = DateTime.makeUnsafe("2022-05-01T00:00:00Z")

/** Version 7 by shape and in order of time, unique within the process: enough for tests, too little for a database. */
const layerIdentifiers = Layer.sync(Identifiers, () => {
  let next = 0
  const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, "0").slice(-digits)
  return Identifiers.of({
    uuid: Effect.map(Clock.currentTimeMillis, (millis) => {
      const time = hex(millis, 12)
      return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${hex(++next, 12)}`
    })
  })
})

const premiseOf = (shop: SmallShop, { environment }: Tenant): PremiseForIssuing => {
  const stored = { createdAt: longAgo, updatedAt: longAgo, environment, name: shop.name, status: "active" as const }
  return {
    taxpayer: { ...stored, id: taxpayerId, taxIdentifier: shop.taxIdentifier, address: null, city: null, vatStatus: "IN_VAT" },
    premise: { ...stored, id: businessPremiseId, taxpayerId, puIdentifier: "1", commerceMode: "distance", paymentMode: "all" },
    activeElement: { id: elementId, jid: "TESTTEST", environment, validTo: DateTime.makeUnsafe("2100-01-01T00:00:00Z") },
    preferredPaperFormat: "a4",
    brandingId: null
  }
}

const taxpayerId = TaxpayerId.make("01900001-0000-7000-8000-000000000001")
const businessPremiseId = BusinessPremiseId.make("01900002-0000-7000-8000-000000000001")
const elementId = SecurityElementId.make("01900003-0000-7000-8000-000000000001")

const ratesOf = ({ labels }: SmallShop): ReadonlyArray<TaxRate> =>
  Object.entries(labels).map(([label, percent]) => ({ label, category: "VAT", categoryType: 0, rate: BigDecimal.fromStringUnsafe(percent) }))

/** Rates that never change and always count as just fetched. */
const layerRates = (shop: SmallShop) => {
  const known = Effect.map(DateTime.now, (fetchedAt) => ({ groups: [{ groupId: 1, validFrom: longAgo, rates: ratesOf(shop) }], fetchedAt }))
  return Layer.succeed(TaxRates, TaxRates.of({ fresh: () => known, known: () => known, doubt: () => Effect.void }))
}

const layerDirectory = (shop: SmallShop, tenant: Tenant) => {
  const { activeElement: _, premise, ...found } = premiseOf(shop, tenant)
  const isHere = (asked: Tenant) => asked.organizationId === tenant.organizationId && asked.environment === tenant.environment
  return Layer.succeed(TenancyDirectory, TenancyDirectory.of({
    premiseForIssuing: (asked, taxpayer, place) =>
      Effect.succeed(!isHere(asked) || taxpayer !== taxpayerId
        ? Option.none()
        : Option.some({ ...premiseOf(shop, tenant), premise: place === businessPremiseId ? premise : null })),
    taxpayers: (asked) => Effect.succeed(isHere(asked) ? [found.taxpayer] : []),
    businessPremises: (asked, taxpayer) =>
      Effect.succeed(isHere(asked) && taxpayer === taxpayerId && premise !== null ? Option.some([premise]) : Option.none()),
    securityElements: () => Effect.succeed([])
  }))
}

const sellerOf = ({ name, taxIdentifier }: SmallShop) => ({
  tin: `RS${taxIdentifier}`, businessName: name, locationName: `1-${name}`, address: "", district: ""
})

/**
 * One shop in the sandbox with everything that issuing needs besides stores and tax authority: directory, rates, settings, identifiers; no licence,
 * no company register, no catalogue. For tests and demonstrations, and as the list of what an own host must provide.
 */
export const smallShop = (shop: SmallShop) => {
  const tenant: Tenant = { organizationId: OrganizationId.make("01900000-0000-7000-8000-000000000001"), environment: "sandbox" }
  const settings = { adapterConfigured: true, restoring: false, restoredAt: null, trafficEnabled: true, esirNumber: "", vatCategories: new Set(["VAT"]), proformaReferences: false }
  const layer = Layer.mergeAll(
    layerDirectory(shop, tenant),
    layerRates(shop),
    layerIdentifiers,
    InFlight.layer,
    ElementContacts.layer,
    Layer.succeed(Installation, Installation.of({ hostId: "small-host", bootId: "1", settings: () => Effect.succeed(settings) })),
    Layer.succeed(LicenseRegister, LicenseRegister.of({ license: () => Effect.succeed(null) })),
    Layer.succeed(SellerDetails, SellerDetails.of({ ofElement: () => Effect.succeed(sellerOf(shop)) })),
    Layer.succeed(ProductReferences, ProductReferences.of({ missing: (_tenant, _taxpayer, ids) => Effect.succeed(ids) })),
    Layer.succeed(CompanyRegister, CompanyRegister.of({ lookup: () => Effect.succeedNone }))
  )
  return { tenant, taxpayerId, businessPremiseId, layer }
}
