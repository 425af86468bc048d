import { layerIdentifiers } from "@overa/adapter-identity"
import { layerPostgres } from "@overa/adapter-postgres"
import { Effect, Layer } from "effect"
import { type SharedSettings, storeAndVpfr } from "./hostConfigs.ts"
import { prepareDatabase } from "./SandboxDatabase.ts"
import { SandboxProblem } from "./SandboxProblem.ts"
import { earlierSeed, firstSeed } from "./seed/readySandbox.ts"

/** The operator's acts that the seed uses. */
const administration = (settings: SharedSettings) => {
  const { credentialKey, databaseUrl, encryptionKeys } = storeAndVpfr(settings)
  return layerPostgres({
    database: { url: databaseUrl, applicationName: "overa sandbox seed", maxConnections: 2 },
    encryptionKeys,
    credentialKey,
    host: { hostId: "sandbox seed", bootId: "seed", configuredAdapters: new Set() }
  }).pipe(Layer.provide(layerIdentifiers))
}

/** The store that is seeded, and the simulator it gets elements from. */
export interface ContentPlace {
  readonly home: string
  readonly controlUrl: string
  readonly settings: SharedSettings
  readonly urlOf: (database: string) => string
}

/** The database with its schema and content: an earlier start's, or the first one, created now. */
export const sandboxContent = Effect.fn("sandboxContent")(function*({ controlUrl, home, settings, urlOf }: ContentPlace) {
  const earlier = yield* earlierSeed(home)
  const empty = yield* prepareDatabase(urlOf, earlier !== null)
  if (earlier !== null && !empty) return earlier
  return yield* firstSeed(home, { controlUrl, roots: settings.roots }).pipe(
    Effect.provide(administration(settings)),
    Effect.catch((error) => Effect.fail(new SandboxProblem({ line: `the sandbox cannot be seeded: ${error.message}` })))
  )
})
