import { randomUUID } from "node:crypto"
import { hostname } from "node:os"
import { layerIdentifiers, layerSignInChecks } from "@overa/adapter-identity"
import { layerOversight, layerPortalStore, layerPostgres } from "@overa/adapter-postgres"
import { VpfrConnection, VpfrTaxAuthority, VpfrTaxRates } from "@overa/adapter-vpfr"
import { CompanyRegister, ElementContacts, type Environment, InFlight } from "@overa/domain"
import { Effect, Layer, Option } from "effect"
import type { AdminConfig } from "./AdminConfig.ts"

/** Nobody's details are looked up for a Training document: it has no buyer. */
const noCompanyRegister = Layer.succeed(CompanyRegister, CompanyRegister.of({ lookup: () => Effect.succeed(Option.none()) }))

/** Everything the operator's command works with, wired here and nowhere else. */
export const adminServices = (config: AdminConfig) => {
  const store = Layer.mergeAll(layerOversight, layerPortalStore(config.encryptionKeys), layerSignInChecks).pipe(
    Layer.provideMerge(layerPostgres({
      database: { url: config.databaseUrl, applicationName: "overa-admin", maxConnections: 2, maxKeyedConnections: 2 },
      encryptionKeys: config.encryptionKeys,
      credentialKey: config.credentialKey,
      host: {
        hostId: `admin ${hostname()}`,
        bootId: randomUUID(),
        configuredAdapters: new Set(Object.keys(config.vpfr) as ReadonlyArray<Environment>)
      }
    })),
    Layer.provideMerge(layerIdentifiers)
  )
  const vpfr = Layer.mergeAll(VpfrTaxAuthority.layer, VpfrTaxRates.layer).pipe(
    Layer.provide(VpfrConnection.layer({ environments: config.vpfr }))
  )
  return Layer.mergeAll(vpfr, ElementContacts.layer, InFlight.layer, noCompanyRegister).pipe(Layer.provideMerge(store))
}

/** The services a command may use. */
export type AdminServices = Layer.Success<ReturnType<typeof adminServices>>
