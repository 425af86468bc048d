import { NbsCompanyRegister } from "@overa/adapter-company-register"
import { acquireHostLock, migrate } from "@overa/adapter-postgres"
import * as PooledReceiptRenderer from "@overa/adapter-renderers/pool"
import { VpfrClocks, VpfrContacts, VpfrKnownSigners, VpfrSellerDetails, VpfrTaxAuthority, VpfrTaxRates } from "@overa/adapter-vpfr"
import { ElementContacts, InFlight, UnresolvedOperations } from "@overa/domain"
import { DateTime, Effect, Layer } from "effect"
import type { IssuingConfig } from "./issuingConfig.ts"
import { timedTaxAuthority } from "./operational/VpfrShare.ts"
import { type Boot, newBoot, storeOf, vpfrConnection } from "./storeAndVpfr.ts"
import { tracing } from "./tracing.ts"

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

/** The services with which a host issues documents; the API's and the portal's. */
export const issuingServices = (config: IssuingConfig, applicationName: string) => {
  const boot = newBoot(config)
  const store = storeOf(config, boot, { applicationName: `${applicationName} ${config.hostId}` })
  const ready = readyStore(boot)
  const authority = timedTaxAuthority.pipe(Layer.provide(VpfrTaxAuthority.layer))
  const vpfr = Layer.mergeAll(authority, VpfrTaxRates.layer, VpfrSellerDetails.layer, VpfrKnownSigners.layer, VpfrClocks.layer, VpfrContacts.layer).pipe(
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
