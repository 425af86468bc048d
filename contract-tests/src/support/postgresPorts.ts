import { randomBytes } from "node:crypto"
import { layerOversight, layerPostgres, type OversightPorts, type PgDatabase, type PostgresPorts } from "@overa/adapter-postgres"
import { Identifiers } from "@overa/domain"
import { Effect, Layer, Redacted } from "effect"
import { mintUuid } from "./mintIdentity.ts"

/** Identifiers for tests. */
export const layerIdentifiers = Layer.succeed(Identifiers, Identifiers.of({ uuid: Effect.sync(mintUuid) }))

/** The key of the credentials' digests in tests. */
export const testCredentialKey = Redacted.make(new Uint8Array(32).fill(7))

/** Every port over one database, as a test host has them. */
export const postgresPorts = (url: string, options: { readonly encryptionKeys?: string; readonly maxConnections?: number; readonly statementTimeoutMillis?: number } = {}): Layer.Layer<
  PostgresPorts | PgDatabase | Identifiers | OversightPorts,
  unknown
> =>
  layerOversight.pipe(Layer.provideMerge(layerPostgres({
    database: { url: Redacted.make(url), applicationName: "tests", maxConnections: options.maxConnections ?? 24, statementTimeoutMillis: options.statementTimeoutMillis ?? 8_000 },
    encryptionKeys: Redacted.make(options.encryptionKeys ?? `test:${randomBytes(32).toString("base64")}`),
    credentialKey: testCredentialKey,
    host: { hostId: "host-a", bootId: "boot-1", configuredAdapters: new Set(["sandbox", "production"]) }
  })), Layer.provideMerge(layerIdentifiers))
