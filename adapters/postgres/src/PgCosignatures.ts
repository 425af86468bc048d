import { Cosignatures, type LogToCosign, type Tenant } from "@overa/domain"
import { Effect, Layer } from "effect"
import * as sql from "./journal-log/cosignatureStatements.ts"
import { PgDatabase, type PgQueries, type PgStatements } from "./PgDatabase.ts"
import { storableText } from "./rows/storedJson.ts"

interface CosignatureRow {
  readonly witness: string
  readonly size: bigint
  readonly line: string
}

const scopeOf = ({ environment, organizationId }: Tenant): ReadonlyArray<string> => [organizationId, environment]

/** Whether the log is this worker's for a minute. Of several workers one gets it: the row is made or changed once. */
const isTaken = Effect.fnUntraced(function*(database: PgQueries, tenant: Tenant) {
  const [first] = yield* database.read(sql.takeFirst, scopeOf(tenant))
  if (first !== undefined) return true
  const [again] = yield* database.read(sql.takeAgain, scopeOf(tenant))
  return again !== undefined
})

const keepAll = Effect.fnUntraced(function*(tx: PgStatements, ...[tenant, { note, size }, cosigned, witnesses]: Parameters<Cosignatures["Service"]["keep"]>) {
  for (const { line, witness } of cosigned) yield* tx.query(sql.putCosignature, [...scopeOf(tenant), witness, size, line])
  const rows = yield* tx.query<CosignatureRow>(sql.cosignaturesOf, [...scopeOf(tenant), witnesses])
  const lines = witnesses.map((witness) => rows.find((row) => row.witness === witness && Number(row.size) === size)?.line)
  if (lines.length === 0 || lines.includes(undefined)) return
  yield* tx.query(sql.putWitnessed, [...scopeOf(tenant), size, note + lines.join("")])
})

/** The cosignatures of the logs. Any number of workers may ask witnesses at once (docs/adr/0365). */
export const layerCosignatures: Layer.Layer<Cosignatures, never, PgDatabase> = Layer.effect(
  Cosignatures,
  Effect.gen(function*() {
    const database = yield* PgDatabase
    return Cosignatures.of({
      take: Effect.fn("Cosignatures.take")(function*(witnesses, limit) {
        const rows = yield* database.read<{ readonly organization_id: string; readonly environment: string }>(sql.logsToShow, [witnesses, limit])
        const taken: Array<LogToCosign> = []
        for (const row of rows) {
          const tenant = { organizationId: row.organization_id, environment: row.environment } as Tenant
          if (!(yield* isTaken(database.keyed, tenant))) continue
          const kept = yield* database.keyed.read<CosignatureRow>(sql.cosignaturesOf, [...scopeOf(tenant), witnesses])
          taken.push({ tenant, sizes: new Map(kept.map(({ size, witness }) => [witness, Number(size)])) })
        }
        return taken
      }),
      keep: (...given) => database.transaction((tx) => keepAll(tx, ...given)).pipe(Effect.withSpan("Cosignatures.keep")),
      newest: Effect.fn("Cosignatures.newest")(function*(tenant) {
        const [row] = yield* database.keyed.read<{ readonly note: string | null }>(sql.newestWitnessed, scopeOf(tenant))
        return row?.note ?? null
      }, database.keyed.confirmed),
      raise: Effect.fn("Cosignatures.raise")(function*({ organizationId }, { detail, kind }) {
        const item = [organizationId, kind, storableText(detail)]
        if ((yield* database.read(sql.itemRaised, item)).length > 0) return false
        return (yield* database.read(sql.raiseItem, item)).length > 0
      })
    })
  })
)
