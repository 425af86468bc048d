import { createHash } from "node:crypto"
import { StoreUnavailable } from "@overa/domain"
import { Effect, Schema } from "effect"
import type { Migration } from "./migrations/Migration.ts"
import { migrations as allMigrations } from "./migrations/migrations.ts"
import { PgDatabase, type PgStatements } from "./PgDatabase.ts"
import type { PgFailure } from "./PgFailure.ts"

/** The database was built by steps that differ from this program's: nobody may guess what that means for fiscal data. */
export class MigrationChanged extends Schema.TaggedError<MigrationChanged>()("MigrationChanged", {
  number: Schema.Int,
  name: Schema.String
}) {
  override get message(): string {
    return `Migration ${this.number} (${this.name}) was applied to this database with other statements than this release has.`
  }
}

/** What a step is, whatever its comments say. */
export const migrationDigest = (migration: Migration): string =>
  createHash("sha256").update(JSON.stringify([migration.number, migration.name, migration.statements])).digest("hex")

// Concurrent starters meet on the row of schema_lock: the second waits, then finds the work done. A row lock, not an advisory one,
// because distributed engines have only the former.
const bootstrap = [
  `create table if not exists schema_migrations (
    number integer not null,
    name text not null,
    digest text not null,
    applied_at timestamptz not null default now(),
    constraint schema_migrations_pk primary key (number)
  )`,
  `create table if not exists schema_lock (
    id integer not null,
    constraint schema_lock_pk primary key (id),
    constraint schema_lock_one_row check (id = 1)
  )`,
  `insert into schema_lock (id) values (1) on conflict do nothing`
]

const apply = (tx: PgStatements, migration: Migration): Effect.Effect<boolean, PgFailure | MigrationChanged> =>
  Effect.gen(function*() {
    yield* tx.query("select id from schema_lock where id = 1 for update")
    const applied = yield* tx.query<{ readonly digest: string }>(
      "select digest from schema_migrations where number = $1",
      [migration.number]
    )
    const digest = migrationDigest(migration)
    if (applied[0] !== undefined) {
      return applied[0].digest === digest
        ? false
        : yield* new MigrationChanged({ number: migration.number, name: migration.name })
    }
    for (const statement of migration.statements) yield* tx.query(statement)
    yield* tx.query("insert into schema_migrations (number, name, digest) values ($1, $2, $3)", [
      migration.number,
      migration.name,
      digest
    ])
    return true
  })

// Two first starts may create the same table at once; the loser's statement fails in the catalogue and is simply sent again.
const createdMeanwhile = (failure: PgFailure): boolean =>
  failure.sqlState === "23505" || failure.sqlState === "42P07" || failure.sqlState === "42710"

/**
 * Brings the schema up to date and answers the numbers of the steps it applied. Safe to call from every host at every start, also at
 * once. Ends with ANALYZE: without statistics, even of empty tables, the batched update is planned as a sequential scan.
 */
export const migrate = Effect.fn("migrate")(function*(
  migrations: ReadonlyArray<Migration> = allMigrations
): Effect.fn.Return<ReadonlyArray<number>, StoreUnavailable | MigrationChanged, PgDatabase> {
  const database = yield* PgDatabase
  for (const statement of bootstrap) {
    yield* database.query(statement).pipe(
      Effect.retry({ while: createdMeanwhile, times: 5 }),
      Effect.mapError((failure) => new StoreUnavailable({ committed: failure.committed, cause: failure }))
    )
  }
  const applied: Array<number> = []
  for (const migration of migrations) {
    if (yield* database.transaction((tx) => apply(tx, migration))) applied.push(migration.number)
  }
  if (applied.length > 0) yield* database.read("analyze")
  return applied
})
