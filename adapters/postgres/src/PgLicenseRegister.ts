import { type License, type LicenseModule, LicenseRegister, type StoreUnavailable } from "@overa/domain"
import { Effect, Layer } from "effect"
import { PgDatabase, type PgQueries } from "./PgDatabase.ts"
import { recentReads } from "./recentReads.ts"
import { utc, utcOrNull } from "./rows/OperationRow.ts"

interface LicenceRow {
  readonly starts_at: Date
  readonly expires_at: Date | null
  readonly suspended: boolean
  readonly modules: ReadonlyArray<LicenseModule>
}

const decodeLicense = (row: LicenceRow): License => ({
  startsAt: utc(row.starts_at),
  expiresAt: utcOrNull(row.expires_at),
  suspended: row.suspended,
  modules: row.modules
})

/** The licence at this moment. */
export const licenceNow = (database: PgQueries, organizationId: string): Effect.Effect<License | null, StoreUnavailable> =>
  Effect.map(
    database.read<LicenceRow>("select starts_at, expires_at, suspended, modules from licences where organization_id = $1", [organizationId]),
    ([row]) => (row === undefined ? null : decodeLicense(row))
  )

const make = Effect.gen(function*() {
  const database = yield* PgDatabase
  const license = yield* recentReads((organizationId) => licenceNow(database, organizationId))
  return LicenseRegister.of({ license })
})

/** The organizations' licences, at most two seconds old. */
export const layerLicenseRegister: Layer.Layer<LicenseRegister, never, PgDatabase> = Layer.effect(LicenseRegister, make)
