import { type Environment, type EnvironmentSettings, Installation, StoreUnavailable } from "@overa/domain"
import { Effect, Layer } from "effect"
import { PgDatabase } from "./PgDatabase.ts"
import { recentReads } from "./recentReads.ts"
import { utcOrNull } from "./rows/OperationRow.ts"

/** The facts a host has about itself and its own configuration. */
export interface HostFacts {
  readonly hostId: string
  readonly bootId: string
  /** Environments with a V-PFR address in this host's configuration. */
  readonly configuredAdapters: ReadonlySet<Environment>
}

interface SettingsRow {
  readonly traffic_enabled: boolean
  readonly restoring: boolean
  readonly restored_at: Date | null
  readonly esir_number: string
  readonly vat_categories: ReadonlyArray<string>
  readonly proforma_references: boolean
}

const loadSettings = Effect.fnUntraced(function*(database: PgDatabase["Service"], environment: string) {
  const [row] = yield* database.read<SettingsRow>(
    "select traffic_enabled, restoring_since is not null as restoring, restored_at, esir_number, vat_categories, proforma_references from environment_settings where environment = $1",
    [environment]
  )
  return row ?? (yield* new StoreUnavailable({ committed: "no", cause: new Error(`No settings for the environment ${environment}`) }))
})

const make = Effect.fnUntraced(function*(facts: HostFacts) {
  const database = yield* PgDatabase
  const stored = yield* recentReads((environment) => loadSettings(database, environment))
  return Installation.of({
    hostId: facts.hostId,
    bootId: facts.bootId,
    settings: (environment) =>
      Effect.map(stored(environment), (row): EnvironmentSettings => ({
        adapterConfigured: facts.configuredAdapters.has(environment),
        trafficEnabled: row.traffic_enabled,
        restoring: row.restoring,
        restoredAt: utcOrNull(row.restored_at),
        esirNumber: row.esir_number,
        vatCategories: new Set(row.vat_categories),
        proformaReferences: row.proforma_references
      }))
  })
})

/** The operator's settings, at most two seconds old, and the identity of this process. */
export const layerInstallation = (facts: HostFacts): Layer.Layer<Installation, never, PgDatabase> =>
  Layer.effect(Installation, make(facts))
