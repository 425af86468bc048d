import { NbsCompanyRegister } from "@overa/adapter-company-register"
import { externalCallers, layerIdentifiers, ownCallers, ownTokenEndpoint } from "@overa/adapter-identity"
import { acquireHostLock, layerOversight, layerPostgres, migrate } from "@overa/adapter-postgres"
import { PooledReceiptRenderer } from "@overa/adapter-renderers"
import { VpfrClocks, VpfrConnection, VpfrSellerDetails, VpfrTaxAuthority, VpfrTaxRates, withKnownSigners } from "@overa/adapter-vpfr"
import { ElementContacts, type Environment, InFlight, InstallationOversight, UnresolvedOperations } from "@overa/domain"
import { DateTime, Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import type { RestApiConfig } from "./Config.ts"
import { OwnRegistrations } from "./http/OwnRegistrations.ts"
import { tracing } from "./operational/tracing.ts"
import { timedTaxAuthority } from "./operational/VpfrShare.ts"

/**
 * Before the first request: the schema is brought up to date, and where this process is the only one of its host, the submissions of
 * its earlier boots end at once, because none of them can still be alive (Decisions §4, Orphans).
 */
const readyStore = (host: { readonly hostId: string; readonly bootId: string }) =>
  Layer.effectDiscard(Effect.gen(function*() {
    yield* migrate()
    if (!(yield* acquireHostLock(host.hostId))) return
    const unresolved = yield* UnresolvedOperations
    yield* unresolved.endLeasesOfEarlierBoots(host, `api:${host.hostId}`, yield* DateTime.now)
  }))

/** Where the V-PFR is, and the signers an operator has recorded by the time this host starts. */
const vpfrConnection = (config: Pick<RestApiConfig, "vpfr">) =>
  Layer.unwrap(Effect.gen(function*() {
    const keys = yield* (yield* InstallationOversight).referenceKeys
    return VpfrConnection.layer({ environments: withKnownSigners(config.vpfr, keys) })
  }))

/** What every host is told that sends documents to the V-PFR for somebody who waits. */
export type IssuingConfig = Pick<
  RestApiConfig,
  "companyRegister" | "credentialKey" | "databaseUrl" | "encryptionKeys" | "hostId" | "mailConfigured" | "vpfr"
>

/** The services with which a host issues documents; the API's and the portal's. */
export const issuingServices = (config: IssuingConfig, applicationName: string) => {
  const host = {
    hostId: config.hostId,
    bootId: randomUUID(),
    configuredAdapters: new Set(Object.keys(config.vpfr) as ReadonlyArray<Environment>)
  }
  const postgres = layerPostgres({
    database: { url: config.databaseUrl, applicationName: `${applicationName} ${config.hostId}` },
    encryptionKeys: config.encryptionKeys,
    credentialKey: config.credentialKey,
    host,
    mailConfigured: config.mailConfigured
  }).pipe(Layer.provideMerge(layerIdentifiers))
  const store = layerOversight.pipe(Layer.provideMerge(postgres))
  const ready = readyStore(host)
  const authority = timedTaxAuthority.pipe(Layer.provide(VpfrTaxAuthority.layer))
  const vpfr = Layer.mergeAll(authority, VpfrTaxRates.layer, VpfrSellerDetails.layer, VpfrClocks.layer).pipe(
    Layer.provide(vpfrConnection(config)),
    // The signers' keys are read once the schema is there.
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

/** All services of a REST host, wired here and nowhere else. */
export const restApiServices = (config: RestApiConfig) => {
  const { audience, external, issuer } = config.identity
  const identity = Layer.mergeAll(
    Layer.succeed(OwnRegistrations, config.registrations),
    ownTokenEndpoint({ issuer, audience, credentialKey: config.credentialKey }),
    external === null ? ownCallers({ issuer, audience }) : externalCallers({ issuer, audience, jwksUrl: external.jwksUrl })
  )
  return identity.pipe(Layer.provideMerge(issuingServices(config, "overa-api")))
}
