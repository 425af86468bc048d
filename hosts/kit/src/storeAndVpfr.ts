import { layerIdentifiers } from "@overa/adapter-identity"
import { layerOversight, layerPostgres } from "@overa/adapter-postgres"
import { VpfrConnection, type VpfrEnvironment, withKnownSigners } from "@overa/adapter-vpfr"
import { type Environment, InstallationOversight } from "@overa/domain"
import { Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import type { StoreConfig } from "./storeConfig.ts"

/** How a process identifies itself to the store. */
export interface StoreUser extends StoreConfig {
  readonly hostId: string
  readonly vpfr: Partial<Record<Environment, VpfrEnvironment>>
  readonly mailConfigured?: boolean
}

/** One start of a process, as named in leases. */
export interface Boot {
  readonly hostId: string
  readonly bootId: string
}

export const newBoot = ({ hostId }: Pick<StoreUser, "hostId">): Boot => ({ hostId, bootId: randomUUID() })

/** Every port that PostgreSQL implements, for one start of a process. */
export const storeOf = (
  config: StoreUser,
  boot: Boot,
  connections: { readonly applicationName: string; readonly maxConnections?: number; readonly maxKeyedConnections?: number }
) => {
  const postgres = layerPostgres({
    database: { url: config.databaseUrl, trustAnchors: config.databaseTrustAnchors ?? null, ...connections },
    encryptionKeys: config.encryptionKeys,
    credentialKey: config.credentialKey,
    host: { ...boot, configuredAdapters: new Set(Object.keys(config.vpfr) as ReadonlyArray<Environment>) },
    mailConfigured: config.mailConfigured === true
  }).pipe(Layer.provideMerge(layerIdentifiers))
  return layerOversight.pipe(Layer.provideMerge(postgres))
}

/** The V-PFR's address, and the signers that an operator has recorded before the process starts. */
export const vpfrConnection = ({ vpfr }: Pick<StoreUser, "vpfr">) =>
  Layer.unwrap(Effect.gen(function*() {
    const keys = yield* (yield* InstallationOversight).referenceKeys
    return VpfrConnection.layer({ environments: withKnownSigners(vpfr, keys) })
  }))
