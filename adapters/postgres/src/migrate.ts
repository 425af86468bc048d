import { createHash } from "node:crypto"
import type { StoreUnavailable } from "@overa/domain"
import { Effect, Schedule, Schema } from "effect"
import { distribute } from "./distribute.ts"
import type { Migration } from "./migrations/Migration.ts"
import { migrations as allMigrations } from "./migrations/migrations.ts"
import { PgDatabase, type PgStatements } from "./PgDatabase.ts"
import { type PgFailure, toStoreUnavailable } from "./PgFailure.ts"

/** The database was built by other migrations than this program's: what that means for fiscal data cannot be known, so nothing is changed. */
export class MigrationChanged extends Schema.TaggedError<MigrationChanged>()("MigrationChanged", {
  number: Schema.Int,
  name: Schema.String
}) {
  override get message(): string {
    return `Migration ${this.number} (${this.name}) was applied to this database with other statements than this release has.`
  }
}

/** The program's role may not change the schema, and a migration is missing: another role must apply it first. */
export class SchemaBehind extends Schema.TaggedError<SchemaBehind>()("SchemaBehind", { missing: Schema.Array(Schema.Int) }) {
  override get message(): string {
    return `DATABASE_URL: this role may not change the schema, which lacks the steps ${this.missing.join(", ")}. Run \`admin schema migrate\` and \`admin schema grant\` as the schema's owner.`
  }
}

/** The digest of a migration, independent of its comments. */
export const migrationDigest = (migration: Migration): string => {
  const { name, number, online, statements } = migration
  const said = online === undefined ? [number, name, statements] : [number, name, statements, { online }]
  return createHash("sha256").update(JSON.stringify(said)).digest("hex")
}

// Concurrent starters lock the row of schema_lock: the second waits, then finds the work done. A row lock, not an advisory one, because distributed
// databases have only the former.
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

/** The migration's stored digest decides: applied by these statements, by others, or not yet. */
const isApplied = Effect.fnUntraced(function*(session: PgStatements, migration: Migration) {
  const { name, number } = migration
  const [applied] = yield* session.query<{ readonly digest: string }>("select digest from schema_migrations where number = $1", [number])
  if (applied !== undefined && applied.digest !== migrationDigest(migration)) return yield* new MigrationChanged({ number, name })
  return applied !== undefined
})

const record = (session: PgStatements, migration: Migration) =>
  session.query("insert into schema_migrations (number, name, digest) values ($1, $2, $3)", [
    migration.number,
    migration.name,
    migrationDigest(migration)
  ])

// A change of the schema waits behind a long statement, and every sale would wait behind it: it stops after the session's lock_timeout and is retried
// after the sales that were waiting.
const lockNotAvailable = (failure: unknown): boolean => (failure as PgFailure).sqlState === "55P03" || (failure as PgFailure).sqlState === "40P01"
const patiently = { while: lockNotAvailable, times: 150, schedule: Schedule.jittered(Schedule.spaced("2 seconds")) } as const

// Another host migrates, which may take hours: this one asks again for the lock until that one is done. `nowait`, because a statement that waits for a
// row lock keeps its snapshot meanwhile, and the index builds of the migrating host would wait for that snapshot.
const takeLock = (session: PgStatements) =>
  Effect.retry(
    Effect.andThen(session.query("begin"), session.query("select id from schema_lock where id = 1 for update nowait")).pipe(
      Effect.tapError(() => Effect.ignore(session.query("rollback")))
    ),
    { while: lockNotAvailable, schedule: Schedule.jittered(Schedule.spaced("250 millis")) }
  )

/** One transaction. `change` runs inside it, after the lock is held and the migration is found to be still missing. */
const underLock = Effect.fnUntraced(function*<E>(session: PgStatements, migration: Migration, change: Effect.Effect<unknown, E>) {
  if (yield* isApplied(session, migration)) return false
  yield* takeLock(session)
  const work = Effect.gen(function*() {
    const needed = !(yield* isApplied(session, migration))
    if (needed) {
      yield* change
      yield* record(session, migration)
    }
    yield* session.query("commit")
    return needed
  })
  return yield* Effect.onError(work, () => Effect.ignore(session.query("rollback")))
})

const unfinishedIndexes = (session: PgStatements) =>
  session.query<{ readonly name: string }>(
    `select c.relname as name from pg_index x join pg_class c on c.oid = x.indexrelid join pg_namespace n on n.oid = c.relnamespace
     where not x.indisvalid and n.nspname = current_schema()`
  )

/** An interrupted build leaves an invalid index, which would be mistaken for the finished one. */
const dropUnfinishedIndexes = Effect.fnUntraced(function*(session: PgStatements) {
  for (const { name } of yield* unfinishedIndexes(session)) yield* session.query(`drop index concurrently if exists ${name}`)
})

/** Repeats every statement after a failure, with its unfinished index dropped first; a migration is done only when no index is unfinished. */
const runOnline = Effect.fnUntraced(function*(worker: PgStatements, migration: Migration) {
  // Such statements wait for transactions in progress, which may take long, and delay no sale while they wait.
  yield* worker.query("set lock_timeout = 0")
  const whole = Effect.gen(function*() {
    yield* dropUnfinishedIndexes(worker)
    for (const statement of migration.statements) yield* worker.query(statement)
  })
  yield* Effect.retry(whole, patiently)
  const [unfinished] = yield* unfinishedIndexes(worker)
  if (unfinished !== undefined) return yield* Effect.die(new Error(`Migration ${migration.number} left the index ${unfinished.name} unfinished`))
})

/**
 * The session that holds the lock must hold no snapshot, or the index builds of the worker session would wait for it for ever: its last query keeps
 * one until another statement replaces it.
 */
const releaseSnapshot = (keeper: PgStatements) => keeper.query("savepoint step")

const runStatements = Effect.fnUntraced(function*(session: PgStatements, migration: Migration) {
  for (const statement of migration.statements) yield* session.query(statement)
})

/** `keeper` holds the lock; what must run outside a transaction runs on `worker` meanwhile. */
const apply = (keeper: PgStatements, worker: PgStatements, migration: Migration): Effect.Effect<boolean, PgFailure | MigrationChanged> =>
  migration.online === true
    ? underLock(keeper, migration, Effect.andThen(releaseSnapshot(keeper), runOnline(worker, migration)))
    : Effect.retry(underLock(keeper, migration, runStatements(keeper, migration)), patiently)

// Two first starts may create the same table at once; the second one's statement fails in the catalogue and is sent again.
const createdMeanwhile = (failure: PgFailure): boolean =>
  failure.sqlState === "23505" || failure.sqlState === "42P07" || failure.sqlState === "42710"

const distributeOnce = Effect.fnUntraced(function*(keeper: PgStatements, worker: PgStatements) {
  yield* takeLock(keeper)
  yield* Effect.ensuring(distribute(worker), Effect.ignore(keeper.query("rollback")))
})

/** A role that owns nothing only checks whether every migration is applied. */
const mustBeApplied = Effect.fnUntraced(function*(session: PgStatements, migrations: ReadonlyArray<Migration>) {
  const missing: Array<number> = []
  const [table] = yield* session.query<{ readonly there: boolean }>("select to_regclass('schema_migrations') is not null as there")
  for (const migration of migrations) {
    if (table?.there !== true || !(yield* isApplied(session, migration))) missing.push(migration.number)
  }
  return missing.length === 0 ? [] : yield* new SchemaBehind({ missing })
})

const migrateOn = Effect.fnUntraced(function*(keeper: PgStatements, worker: PgStatements, migrations: ReadonlyArray<Migration>) {
  const [may] = yield* keeper.query<{ readonly create: boolean }>("select has_schema_privilege(current_schema(), 'create') as create")
  if (may?.create === false) return yield* mustBeApplied(keeper, migrations)
  for (const statement of bootstrap) yield* Effect.retry(keeper.query(statement), { while: createdMeanwhile, times: 5 })
  const applied: Array<number> = []
  for (const migration of migrations) {
    if (yield* apply(keeper, worker, migration)) applied.push(migration.number)
  }
  yield* distributeOnce(keeper, worker)
  if (applied.length > 0) yield* worker.query("analyze")
  return applied
})

/**
 * Brings the schema up to date and answers the numbers of the migrations it applied. Safe to call from every host at every start, also concurrently
 * and while sales run: on connections of its own, without the sales' time-outs, waiting for no lock longer than two seconds at a time. Where the
 * Citus extension is installed, new tables are then distributed. Ends with ANALYZE: without statistics, even of empty tables, a plan may read a whole
 * table.
 */
export const migrate = Effect.fn("migrate")(function*(
  migrations: ReadonlyArray<Migration> = allMigrations
): Effect.fn.Return<ReadonlyArray<number>, StoreUnavailable | MigrationChanged | SchemaBehind, PgDatabase> {
  const database = yield* PgDatabase
  return yield* Effect.gen(function*() {
    const keeper = yield* database.maintenance
    const worker = yield* database.maintenance
    return yield* migrateOn(keeper, worker, migrations)
  }).pipe(Effect.scoped, Effect.catchTag("PgFailure", toStoreUnavailable))
})
