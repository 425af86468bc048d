import { layerDatabase, migrate, PgDatabase, type PgDatabaseConfig } from "@overa/adapter-postgres"
import { Clock, Effect, Layer, Redacted } from "effect"
import { databaseName } from "./hostConfigs.ts"
import { SandboxProblem } from "./SandboxProblem.ts"

const config = (url: string): PgDatabaseConfig => ({ url: Redacted.make(url), applicationName: "overa sandbox", maxConnections: 1 })

const problem = (cause: unknown) =>
  Effect.fail(new SandboxProblem({ line: `the sandbox's database cannot be prepared: ${cause instanceof Error ? cause.message : String(cause)}` }))

const exists = Effect.gen(function*() {
  const database = yield* PgDatabase
  const rows = yield* database.query("select from pg_database where datname = $1", [databaseName])
  return rows.length > 0
})

/**
 * A seed that was interrupted left secrets that were never written to a file, so the next start begins again. Its database is renamed, never dropped:
 * this is the only code that could lose a database with receipts by mistake.
 */
const putAside = Effect.gen(function*() {
  const database = yield* PgDatabase
  yield* database.query(`alter database ${databaseName} rename to ${databaseName}_put_aside_${yield* Clock.currentTimeMillis}`)
})

const create = Effect.gen(function*() {
  const database = yield* PgDatabase
  yield* database.query(`create database ${databaseName}`)
})

/** Creates the database if it is missing and brings its schema up to date; true when it still needs its first content. */
export const prepareDatabase = Effect.fn("prepareDatabase")(function*(urlOf: (database: string) => string, seeded: boolean) {
  const server = Layer.fresh(layerDatabase(config(urlOf("postgres"))))
  const fresh = yield* Effect.gen(function*() {
    const found = yield* exists
    if (found && seeded) return false
    if (found) yield* putAside
    yield* create
    return true
  }).pipe(Effect.provide(server), Effect.catch(problem))
  yield* migrate().pipe(Effect.provide(Layer.fresh(layerDatabase(config(urlOf(databaseName))))), Effect.catch(problem))
  return fresh
})
