import {
  AccessOversight,
  AttentionOversight,
  ElementOversight,
  InstallationOversight,
  OperationOversight,
  TenancyOversight
} from "@overa/domain"
import { Context, Effect, Layer } from "effect"
import { migrations } from "./migrations/migrations.ts"
import { figures, sealingKeys } from "./oversight/figures.ts"
import { attentionViews, installationViews, operationViews } from "./oversight/recordViews.ts"
import { accessViews, elementViews, tenancyViews } from "./oversight/tenancyViews.ts"
import { PgDatabase, type PgQueries } from "./PgDatabase.ts"
import { utcOrNull } from "./rows/OperationRow.ts"

const pendingMigrations = Effect.fnUntraced(function*(database: PgQueries) {
  const rows = yield* database.read<{ readonly number: number }>("select number from schema_migrations")
  const applied = new Set(rows.map((row) => row.number))
  return migrations.map((migration) => migration.number).filter((number) => !applied.has(number))
})

interface ArchiverRow {
  readonly archives: boolean
  readonly last_archived_time: Date | null
  readonly last_failed_time: Date | null
}

const archiverStatement = `select current_setting('archive_mode') <> 'off' as archives, last_archived_time, last_failed_time from pg_stat_archiver`

const archive = Effect.fnUntraced(function*(database: PgQueries) {
  const [row] = yield* database.read<ArchiverRow>(archiverStatement)
  return row?.archives === true ? { lastArchivedAt: utcOrNull(row.last_archived_time), lastFailedAt: utcOrNull(row.last_failed_time) } : null
})

/** What an operator sees of the whole installation, a port for each topic. */
export type OversightPorts =
  | TenancyOversight
  | AccessOversight
  | ElementOversight
  | OperationOversight
  | AttentionOversight
  | InstallationOversight

/** The operator's view of the whole installation. */
export const layerOversight: Layer.Layer<OversightPorts, never, PgDatabase> = Layer.effectContext(Effect.gen(function*() {
  const database = yield* PgDatabase
  const installation = {
    ...installationViews(database),
    sealingKeys: sealingKeys(database),
    figures: figures(database),
    pendingMigrations: pendingMigrations(database),
    archive: archive(database)
  }
  return Context.make(TenancyOversight, tenancyViews(database)).pipe(
    Context.add(AccessOversight, accessViews(database)),
    Context.add(ElementOversight, elementViews(database)),
    Context.add(OperationOversight, operationViews(database)),
    Context.add(AttentionOversight, attentionViews(database)),
    Context.add(InstallationOversight, installation)
  )
}))
