import { Oversight } from "@overa/domain"
import { Effect, Layer } from "effect"
import { migrations } from "./migrations/migrations.ts"
import { figures, sealingKeys } from "./oversight/figures.ts"
import { recordViews } from "./oversight/recordViews.ts"
import { tenancyViews } from "./oversight/tenancyViews.ts"
import { PgDatabase, type PgQueries } from "./PgDatabase.ts"

const pendingMigrations = Effect.fnUntraced(function*(database: PgQueries) {
  const rows = yield* database.read<{ readonly number: number }>("select number from schema_migrations")
  const applied = new Set(rows.map((row) => row.number))
  return migrations.map((migration) => migration.number).filter((number) => !applied.has(number))
})

/** The operator's view of the whole installation. */
export const layerOversight: Layer.Layer<Oversight, never, PgDatabase> = Layer.effect(
  Oversight,
  Effect.gen(function*() {
    const database = yield* PgDatabase
    return Oversight.of({
      ...tenancyViews(database),
      ...recordViews(database),
      sealingKeys: sealingKeys(database),
      figures: figures(database),
      pendingMigrations: pendingMigrations(database)
    })
  })
)
