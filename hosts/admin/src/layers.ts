import { hostname } from "node:os"
import { layerSignInChecks } from "@overa/adapter-identity"
import { layerPortalStore } from "@overa/adapter-postgres"
import { VpfrClocks, VpfrConnection, VpfrTaxAuthority, VpfrTaxRates } from "@overa/adapter-vpfr"
import { CompanyRegister, ElementContacts, InFlight } from "@overa/domain"
import { newBoot, storeOf } from "@overa/host-kit"
import { Effect, Layer, Option } from "effect"
import type { AdminConfig } from "./AdminConfig.ts"

/** A Training document has no buyer, so no details are looked up. */
const noCompanyRegister = Layer.succeed(CompanyRegister, CompanyRegister.of({ lookup: () => Effect.succeed(Option.none()) }))

/** All services of the operator's command, composed here and nowhere else. */
export const adminServices = (config: AdminConfig) => {
  const hostId = `admin ${hostname()}`
  const store = Layer.mergeAll(layerPortalStore(config.encryptionKeys, config.mailConfigured), layerSignInChecks).pipe(
    Layer.provideMerge(storeOf({ ...config, hostId }, newBoot({ hostId }), { applicationName: "overa-admin", maxConnections: 2, maxKeyedConnections: 2 }))
  )
  // Signers recorded in the database are not read: this command also creates the schema.
  const vpfr = Layer.mergeAll(VpfrTaxAuthority.layer, VpfrTaxRates.layer, VpfrClocks.layer).pipe(
    Layer.provide(VpfrConnection.layer({ environments: config.vpfr }))
  )
  return Layer.mergeAll(vpfr, ElementContacts.layer, InFlight.layer, noCompanyRegister).pipe(Layer.provideMerge(store))
}

/** The services a command may use. */
export type AdminServices = Layer.Success<ReturnType<typeof adminServices>>
