import { layerDatabase, PgDatabase, PgFailure, type PgQueries, type PgStatements, toStoreUnavailable } from "@overa/adapter-postgres"
import { Effect, Exit, Layer, Redacted, Scope } from "effect"
import { closeSync, openSync, writeSync } from "node:fs"
import { join } from "node:path"
import type { World } from "../World.ts"
import { emptyWorld, goBackTo, makeWorldSchema, moment, momentText, noRestore, searchPath, tablesWithoutKey, watching, writtenSince } from "./worldSchema.ts"

/** Worlds after which the dead rows of earlier ones are removed. */
const worldsBetweenVacuums = 40

/** The planner's settings of the product's connections for statements that find their rows by key. */
const planner = ["enable_seqscan", "enable_hashjoin", "enable_mergejoin"]

/** A planted bug in a statement: what it becomes. */
export type Rewrite = (sql: string) => string

/** Where a database is. */
export interface WorldPlace {
  readonly url: string
  readonly dataDirectory: string
}

/** One connection to a migrated database in which worlds live one after another; the product's own statements and driver. */
export class WorldDatabase {
  readonly #session: PgStatements
  readonly #scope: Scope.Closeable
  /** The open file of the world's moment. */
  readonly #file: number
  #worlds = 0
  /** Marks go on over worlds, so that a change is never taken for another world's. */
  #mark = 0
  #told = ""
  /** The first transaction that was not looked at. */
  #next = "0"
  /** Counts what may have changed something, in any table and in `operations`. */
  readonly writes = { all: 0, operations: 0 }

  private constructor(session: PgStatements, scope: Scope.Closeable, file: number) {
    this.#session = session
    this.#scope = scope
    this.#file = file
  }

  /** Connects to a database that only this process uses, and makes the world's schema there if it is new. */
  static async open({ dataDirectory, url }: WorldPlace): Promise<WorldDatabase> {
    const scope = Scope.makeUnsafe()
    const connect = Effect.gen(function*() {
      const context = yield* Layer.buildWithScope(layerDatabase({ url: Redacted.make(url), applicationName: "worlds" }), scope)
      return yield* Effect.provideService(Effect.provide(Effect.flatMap(PgDatabase, ({ session }) => session), context), Scope.Scope, scope)
    })
    const session = await Effect.runPromise(connect)
    const file = openSync(join(dataDirectory, `${moment.file}.${new URL(url).pathname.slice(1)}`), "w")
    const database = new WorldDatabase(session, scope, file)
    await database.#prepare()
    return database
  }

  async #run(sql: string, params: ReadonlyArray<unknown> = []): Promise<ReadonlyArray<Record<string, unknown>>> {
    return await Effect.runPromise(this.#session.query<Record<string, unknown>>(sql, params))
  }

  async #prepare(): Promise<void> {
    if ((await this.#run("select from pg_namespace where nspname = 'overa_world'")).length === 0) {
      for (const statement of makeWorldSchema) await this.#run(statement)
    }
    const unwatched = await this.#run(tablesWithoutKey)
    if (unwatched.length > 0) throw new Error(`a failover could not put back rows of ${unwatched.map(({ name }) => String(name)).join(", ")}`)
    for (const setting of planner) await this.#run(`set ${setting} = off`)
    await this.#run("set synchronous_commit = off")
    await this.#run("set plan_cache_mode = force_generic_plan")
    await this.#run(`set ${watching} = off`)
    await this.#run(`set search_path = ${searchPath}`)
    await this.#run("set client_min_messages = warning")
  }

  /** Begins a world in the database as it was migrated. */
  async begin(): Promise<void> {
    await this.#run(emptyWorld)
    await this.#run(noRestore)
    if (this.#worlds > 0 && this.#worlds % worldsBetweenVacuums === 0) await this.#run("vacuum analyze")
    this.#worlds += 1
    this.#told = ""
    await this.#run(`set ${watching} = off`)
  }

  /** Whether changes are noted, so that a failover can put them back. */
  watch(world: World, on: boolean): Effect.Effect<void, PgFailure> {
    return Effect.asVoid(world.outside(this.#session.query(`set ${watching} = ${on ? "on" : "off"}`)))
  }

  async close(): Promise<void> {
    await Effect.runPromise(Scope.close(this.#scope, Exit.void))
    closeSync(this.#file)
  }

  /** A statement at the world's time. */
  #statement(world: World): PgStatements {
    return {
      query: (sql, params) =>
        Effect.suspend(() => {
          this.#tell(world.now)
          return this.#session.query(sql, params)
        })
    }
  }

  #tell(time: number): void {
    const now = momentText(time, this.#mark)
    if (now === this.#told) return
    writeSync(this.#file, now, 0)
    this.#told = now
  }

  /** The product's access to the database, in a world: one statement after another, in the order in which they were asked. */
  service(world: World, rewrite: Rewrite = (sql) => sql): PgDatabase["Service"] {
    const now = this.#statement(world)
    const statements: PgStatements = {
      query: (sql, params) => {
        this.#count(sql)
        return now.query(rewrite(sql), params)
      }
    }
    const query: PgQueries["query"] = (sql, params) => world.outside(statements.query(sql, params))
    const queries: PgQueries = {
      query,
      read: <Row extends object>(sql: string, params: ReadonlyArray<unknown> = []) => Effect.catchTag(query<Row>(sql, params), "PgFailure", toStoreUnavailable)
    }
    const noSession = Effect.die(new Error("a world has one connection"))
    return PgDatabase.of({
      ...queries,
      keyed: queries,
      inTurn: (report) => report,
      isSplit: () => false,
      session: noSession,
      maintenance: noSession,
      transaction: ((work: Parameters<PgDatabase["Service"]["transaction"]>[0]) =>
        world.outside(transactionOn(statements, work)).pipe(Effect.catchIf((error) => error instanceof PgFailure, (failure) => toStoreUnavailable(failure as PgFailure)))
      ) as PgDatabase["Service"]["transaction"]
    })
  }

  #count(sql: string): void {
    if (/^\s*(select|begin|commit|rollback)/i.test(sql)) return
    this.writes.all += 1
    if (/(insert into|update) operations\b/i.test(sql)) this.writes.operations += 1
  }

  /** A moment to which a failover can go back. */
  mark(): number {
    this.#mark += 1
    return this.#mark
  }

  /** Puts back every row as it was at a mark. */
  goBack(world: World, mark: number): Effect.Effect<void, PgFailure> {
    return Effect.map(world.outside(this.#statement(world).query(goBackTo, [mark])), () => {
      this.writes.all += 1
      this.writes.operations += 1
    })
  }

  /** The operations of which something was written since this was asked last. */
  written(world: World): Effect.Effect<ReadonlyArray<string>, PgFailure> {
    return Effect.map(
      world.outside(this.#session.query<{ readonly operation_id: string; readonly next: string }>(writtenSince, [this.#next])),
      (rows) => {
        this.#next = rows[0]?.next ?? this.#next
        return rows.map(({ operation_id }) => operation_id)
      }
    )
  }
}

const transactionOn = (statements: PgStatements, work: (statements: PgStatements) => Effect.Effect<unknown, unknown>): Effect.Effect<unknown, unknown> =>
  Effect.gen(function*() {
    yield* statements.query("begin")
    const exit = yield* Effect.exit(work(statements))
    if (Exit.isFailure(exit)) {
      yield* statements.query("rollback")
      return yield* exit
    }
    yield* statements.query("commit")
    return exit.value
  })
