import { NbsCompanyRegister } from "@overa/adapter-company-register"
import { externalCallers, ownCallers, ownTokenEndpoint } from "@overa/adapter-identity"
import { acquireHostLock, migrate } from "@overa/adapter-postgres"
import { PooledReceiptRenderer } from "@overa/adapter-renderers"
import { VpfrClocks, VpfrKnownSigners, VpfrSellerDetails, VpfrTaxAuthority, VpfrTaxRates } from "@overa/adapter-vpfr"
import { ElementContacts, InFlight, UnresolvedOperations } from "@overa/domain"
import { type Boot, newBoot, type StoreConfig, storeOf, tracing, vpfrConnection } from "@overa/host-kit"
import { DateTime, Effect, Layer } from "effect"
import type { RestApiConfig } from "./Config.ts"
import { OwnRegistrations } from "./http/OwnRegistrations.ts"
import { timedTaxAuthority } from "./operational/VpfrShare.ts"

/**
 * Before the first request: the schema is brought up to date, and if this process is the only one of its host, the submissions of its earlier
 * processes end at once, because none of those can still run (Decisions §4, Orphans).
 */
const readyStore = (host: Boot) =>
  Layer.effectDiscard(Effect.gen(function*() {
    yield* migrate()
    if (!(yield* acquireHostLock(host.hostId))) return
    const unresolved = yield* UnresolvedOperations
    yield* unresolved.endLeasesOfEarlierBoots(host, `api:${host.hostId}`, yield* DateTime.now)
  }))

/** The settings of every host that sends documents to the V-PFR for a waiting caller. */
export type IssuingConfig = Pick<
  RestApiConfig,
  keyof StoreConfig | "companyRegister" | "hostId" | "mailConfigured" | "registrations" | "vpfr"
>

/** The services with which a host issues documents; the API's and the portal's. */
export const issuingServices = (config: IssuingConfig, applicationName: string) => {
  const boot = newBoot(config)
  const store = storeOf(config, boot, { applicationName: `${applicationName} ${config.hostId}` })
  const ready = readyStore(boot)
  const authority = timedTaxAuthority.pipe(Layer.provide(VpfrTaxAuthority.layer))
  const vpfr = Layer.mergeAll(authority, VpfrTaxRates.layer, VpfrSellerDetails.layer, VpfrKnownSigners.layer, VpfrClocks.layer).pipe(
    Layer.provide(vpfrConnection(config)),
    // The signers' keys are read once the schema exists.
    Layer.provide(ready)
  )
  return Layer.mergeAll(
    vpfr,
    ready,
    ElementContacts.layer,
    InFlight.layer,
    config.companyRegister === null ? NbsCompanyRegister.layerNone : NbsCompanyRegister.layer(config.companyRegister),
    PooledReceiptRenderer.layer()
  ).pipe(Layer.provideMerge(store), Layer.provideMerge(tracing(applicationName)))
}

/** All services of a REST host, composed here and nowhere else. */
export const restApiServices = (config: RestApiConfig) => {
  const { audience, external, issuer } = config.identity
  const identity = Layer.mergeAll(
    Layer.succeed(OwnRegistrations, config.registrations),
    ownTokenEndpoint({ issuer, audience, credentialKey: config.credentialKey, formerCredentialKeys: config.formerCredentialKeys ?? [] }),
    external === null ? ownCallers({ issuer, audience }) : externalCallers({ issuer, audience, jwksUrl: external.jwksUrl })
  )
  return identity.pipe(Layer.provideMerge(issuingServices(config, "overa-api")))
}
