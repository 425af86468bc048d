import { layerWebhookKeys } from "@overa/adapter-webhooks"
import { canonicalJson } from "@overa/adapter-renderers"
import { layerIdentifiers, ownCallers, ownTokenEndpoint } from "@overa/adapter-identity"
import {
  layerAdvanceCases, layerDeliveryStore, layerJournalLog, layerJournalStore, layerMailTransport, layerOperationStore, layerProductStore, layerProformaTraining, layerRefundStore,
  layerUnresolvedOperations, layerWebhookStore, MemoryDeliveries, memoryDeliveries, MemoryOperations, MemoryWebhooks
} from "@overa/adapter-memory"
import {
  BrandingStore,
  type BuyerDetails,
  CompanyRegister,
  DocumentCounts,
  ElementContacts,
  type Environment,
  InFlight,
  Installation,
  KnownSigners,
  type License,
  JournalSealer,
  LicenseRegister,
  managementScope,
  OwnScope,
  OrganizationId,
  ReceiptRenderer,
  SellerDetails,
  StoreUnavailable,
  TaxConfigurationUnavailable,
  type TaxRateHistory,
  TaxRates
} from "@overa/domain"
import type { Capacity } from "@overa/host-kit"
import { type RateLimit, type RunningRestApi, serve } from "@overa/rest-api"
import { BigDecimal, Clock, DateTime, Effect, Layer, Option } from "effect"
import { randomUUID } from "node:crypto"
import type { ApiTarget } from "../http/ApiTarget.ts"
import { memoryAdministration } from "./memoryAdministration.ts"
import { memoryCredentials } from "./memoryCredentials.ts"
import { memoryLicense, type MemoryShop, memoryShop, memoryTenancy } from "./memoryTenancy.ts"
import { SigningAuthority } from "./signingAuthority.ts"
import { makeTokenMint } from "./tokenMint.ts"

/** A whole API in memory whose dependencies a test can change while it serves. */
export interface MemoryApi {
  readonly target: ApiTarget
  readonly running: RunningRestApi
  readonly authority: SigningAuthority
  readonly deliveries: MemoryDeliveries["Service"]
  readonly operations: MemoryOperations["Service"]
  readonly shops: { readonly sandbox: MemoryShop; readonly production: MemoryShop; readonly other: MemoryShop }
  readonly surroundings: Surroundings
  /** Log lines written so far. */
  readonly log: ReadonlyArray<string>
}

interface Surroundings {
  license: License | null
  adapterConfigured: boolean
  trafficEnabled: boolean
  restoring: boolean
  esirNumber: string
  proformaReferences: boolean
  taxRates: boolean
  store: boolean
  /** Whether certificates of elements can be read. */
  sellers: boolean
  /** What the company register says, by tax identifier. */
  companies: ReadonlyMap<string, BuyerDetails>
  /** Whether the key that signed every token so far was revoked. */
  keyRevoked: boolean
  /** How far the API's clock is ahead of the machine's. */
  aheadMillis: number
  /** A bug: reading the licence fails with a defect. */
  bug: string | null
}

/** Source: Decisions §6. */
const mediaTypes = {
  "official-text": "text/plain; charset=utf-8",
  "canonical-json": "application/json",
  "pdf-a4": "application/pdf",
  "pdf-80mm": "application/pdf",
  "pdf-58mm": "application/pdf",
  "preview-png": "image/png",
  "qr-svg": "image/svg+xml"
} as const

/** Seals continuously, as the worker does every few seconds. */
const sealing = Layer.effectDiscard(Effect.gen(function*() {
  const sealer = yield* JournalSealer
  yield* Effect.forkScoped(Effect.forever(Effect.delay(sealer.seal({ limit: 1_000 }), "50 millis")))
}))

/** The stores over one memory. */
const memoryStores = (operations: MemoryOperations["Service"], deliveries: MemoryDeliveries["Service"]) =>
  Layer.mergeAll(layerUnresolvedOperations, layerRefundStore, layerAdvanceCases, layerProformaTraining, layerJournalStore, layerDeliveryStore, Layer.provideMerge(layerWebhookStore, Layer.provideMerge(sealing, layerJournalLog))).pipe(
    Layer.provideMerge(layerOperationStore),
    Layer.provide([Layer.succeed(MemoryOperations, operations), Layer.succeed(MemoryDeliveries, deliveries), MemoryWebhooks.layer])
  )

const issuer = "overa"
const audience = "overa-api"
const labels = { sandbox: "A", production: "Ђ" } as const

/** The machine's clock, with what a test has put it ahead. */
const clockOf = (surroundings: Surroundings) => {
  const machine = Clock.Clock.defaultValue()
  const currentTimeMillisUnsafe = () => machine.currentTimeMillisUnsafe() + surroundings.aheadMillis
  const ahead: Clock.Clock = Object.assign(Object.create(machine), { currentTimeMillisUnsafe, currentTimeMillis: Effect.sync(currentTimeMillisUnsafe) })
  return Layer.succeed(Clock.Clock, ahead)
}

/** Starts it on a free port. */
export const startMemoryApi = async (
  options: { readonly rateLimit?: RateLimit; readonly capacity?: Capacity; readonly port?: number; readonly tryItOut?: boolean } = {}
): Promise<MemoryApi> => {
  const organizationId = OrganizationId.make(randomUUID())
  const otherOrganization = OrganizationId.make(randomUUID())
  const shops = {
    sandbox: memoryShop(organizationId, "sandbox"),
    production: memoryShop(organizationId, "production"),
    other: memoryShop(otherOrganization, "sandbox")
  }
  const allShops = Object.values(shops)
  const mint = makeTokenMint({ issuer, audience })
  const surroundings: Surroundings = { license: memoryLicense, adapterConfigured: true, trafficEnabled: true, restoring: false, esirNumber: "1234/1.0", proformaReferences: false, taxRates: true, store: true, sellers: true, companies: new Map(), keyRevoked: false, aheadMillis: 0, bug: null }
  const secrets = memoryCredentials(allShops, () => surroundings.keyRevoked ? [] : [mint.tokenKey])
  const { credentialKey } = secrets
  const clients = {
    sandbox: secrets.issue(organizationId, "sandbox"),
    production: secrets.issue(organizationId, "production"),
    other: secrets.issue(otherOrganization, "sandbox"),
    none: secrets.issue(organizationId, null),
    webhooks: {
      sandbox: secrets.issue(organizationId, "sandbox", OwnScope.literals),
      production: secrets.issue(organizationId, "production", OwnScope.literals),
      other: secrets.issue(otherOrganization, "sandbox", OwnScope.literals)
    },
    management: secrets.issue(organizationId, "sandbox", [managementScope])
  }
  const authority = new SigningAuthority()
  const deliveries = memoryDeliveries()
  const operations = MemoryOperations.empty()
  const log: Array<string> = []
  const services = Layer.mergeAll(
    Layer.mergeAll(ownCallers({ issuer, audience }), ownTokenEndpoint({ issuer, audience, credentialKey })).pipe(Layer.provide(secrets.credentials)),
    authority.layer,
    Layer.provideMerge(layerProductStore, memoryTenancy(allShops)),
    memoryAdministration(allShops),
    secrets.acts,
    surroundingLayers(surroundings),
    layerMailTransport.pipe(Layer.provide(Layer.succeed(MemoryDeliveries, deliveries))),
    InFlight.layer,
    ElementContacts.layer,
    layerIdentifiers,
    layerWebhookKeys,
    clockOf(surroundings)
  ).pipe(Layer.provideMerge(memoryStores(operations, deliveries)))
  const ready = (client: typeof clients.sandbox, shop: MemoryShop) => ({
    ...client,
    taxpayerId: shop.place.taxpayer.id,
    businessPremiseId: shop.place.premise?.id ?? ""
  })
  const running = await serve(services, {
    host: "127.0.0.1",
    port: options.port ?? 0,
    baseUrl: null,
    issuer,
    externalTokenUrl: null,
    contactEmail: null,
    tryItOut: options.tryItOut === true ? ready(clients.sandbox, shops.sandbox) : null,
    trustProxy: null,
    rateLimit: options.rateLimit ?? { perSecond: 100_000, burst: 100_000 },
    capacity: options.capacity ?? { requests: 1_024, bodyBytes: 8_388_608, answerBytes: 33_554_432 },
    write: (line) => log.push(line),
    stopMillis: 5_000
  })
  const target: ApiTarget = {
    baseUrl: running.url,
    authUrl: running.authUrl,
    organizationId,
    ...ready(clients.sandbox, shops.sandbox),
    production: ready(clients.production, shops.production),
    other: ready(clients.other, shops.other),
    noEnvironment: clients.none,
    webhooks: clients.webhooks,
    management: clients.management,
    forbidCredentials: (forbidden) => void (forbidden ? secrets.forbidden.add(organizationId) : secrets.forbidden.delete(organizationId)),
    labels,
    mint: (claims) => mint.mint({ organizationId, environment: "sandbox", ...claims })
  }
  return { target, running, authority, deliveries, operations, shops, surroundings, log }
}

const history = (environment: Environment): TaxRateHistory => ({
  groups: [{
    groupId: 8,
    validFrom: DateTime.makeUnsafe("2024-01-01T00:00:00Z"),
    rates: [{
      label: labels[environment],
      category: environment === "sandbox" ? "VAT" : "О-ПДВ",
      categoryType: 0,
      rate: BigDecimal.fromStringUnsafe("20")
    }]
  }],
  fetchedAt: DateTime.nowUnsafe()
})

const sellerOfMemory = {
  tin: "RS100000008", businessName: "Продавница Д.О.О.", locationName: "1015151-Веб продавница", address: "Кнеза Милоша 1", district: "Београд"
}

const readLicense = ({ bug, license }: Surroundings) => bug === null ? Effect.succeed(license) : Effect.die(new Error(bug))

const surroundingLayers = (surroundings: Surroundings) =>
  Layer.mergeAll(
    Layer.succeed(
      Installation,
      Installation.of({
        hostId: "host-1",
        bootId: randomUUID(),
        settings: (environment) =>
          surroundings.store
            ? Effect.succeed({
              adapterConfigured: surroundings.adapterConfigured,
              trafficEnabled: surroundings.trafficEnabled,
              restoring: surroundings.restoring,
              restoredAt: null,
              esirNumber: surroundings.esirNumber,
              vatCategories: new Set([environment === "sandbox" ? "VAT" : "О-ПДВ"]),
              proformaReferences: surroundings.proformaReferences
            })
            : new StoreUnavailable({ committed: "no", cause: new Error("down") })
      })
    ),
    Layer.succeed(LicenseRegister, LicenseRegister.of({ license: () => readLicense(surroundings) })),
    Layer.succeed(
      TaxRates,
      TaxRates.of({
        fresh: ({ environment }) =>
          surroundings.taxRates ? Effect.succeed(history(environment)) : new TaxConfigurationUnavailable({ detail: "silent" }),
        known: ({ environment }) => Effect.succeed(surroundings.taxRates ? history(environment) : null),
        doubt: () => Effect.void
      })
    ),
    Layer.succeed(KnownSigners, KnownSigners.of({ inEnvironment: () => ({ signers: [], verificationRoot: null }) })),
    Layer.succeed(SellerDetails, SellerDetails.of({ ofElement: () => Effect.succeed(surroundings.sellers ? sellerOfMemory : null) })),
    Layer.succeed(CompanyRegister, CompanyRegister.of({ lookup: (id) => Effect.sync(() => Option.fromNullishOr(surroundings.companies.get(id))) })),
    Layer.succeed(DocumentCounts, DocumentCounts.of({ fiscalized: () => Effect.succeed(41), refunds: () => Effect.succeed([]) })),
    Layer.succeed(
      BrandingStore,
      BrandingStore.of({ find: () => Effect.succeed(Option.none()), current: () => Effect.succeed(Option.none()), save: () => Effect.succeed(randomUUID()) })
    ),
    Layer.succeed(
      ReceiptRenderer,
      ReceiptRenderer.of({
        entityTag: (_receipt, format) => `tag-${format}`,
        render: (receipt, _branding, format) =>
          Effect.succeed({
            bytes: new TextEncoder().encode(format === "canonical-json" ? canonicalJson(receipt) : receipt.answer.pfr.journal),
            mediaType: mediaTypes[format],
            fileName: `${receipt.answer.pfr.invoiceNumber}.txt`
          })
      })
    )
  )
