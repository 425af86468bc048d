import { layerDatabase, PgDatabase, type PgFailure, type PgStatements } from "@overa/adapter-postgres"
import { Effect, Exit, Layer, Redacted, Scope } from "effect"
import { closeSync, openSync, writeSync } from "node:fs"
import { join } from "node:path"
import type { World } from "../World.ts"
import { emptyWorld, goBackTo, makeWorldSchema, moment, momentText, noRestore, searchPath, tablesWithoutKey, watching, workingMail, writtenSince } from "./worldSchema.ts"
import { worldService } from "./worldService.ts"
import { Writes, writesDocument } from "./Writes.ts"

/** Worlds after which the dead rows of earlier ones are removed. */
const worldsBetweenVacuums = 40

/** More than a world has: a statement that is no longer prepared costs the server as much as ten others. */
const preparedStatements = 400

/** The planner's settings of the product's connections for statements that find their rows by key. */
const planner = ["enable_seqscan", "enable_hashjoin", "enable_mergejoin"]

/** On a busy machine a world stands still for long while its transaction runs. */
const bounds = ["statement_timeout", "idle_in_transaction_session_timeout", "lock_timeout"]

/** The statement with which a document comes to its outcome (`concludeStatement`). */
const writesOutcome = /^update operations o\s+set status\b/i

/** The parameter with the new status of a document that becomes a receipt. */
const isReceipt = (parameter: unknown): boolean => (parameter as { readonly value?: unknown } | null)?.value === "FISCALIZED"

/** $1 transaction: a row where a later one has stored what can be sealed. */
const passedBy = "select from operations where status not in ('RECEIVED', 'SUBMITTING', 'RECONCILING') and moved_by > $1::text::xid8 limit 1"

/** A planted bug in a statement: what it becomes. */
export type Rewrite = (sql: string) => string

/** Where a database is. */
export interface WorldPlace {
  readonly url: string
  readonly dataDirectory: string
}

/** The transaction of another connection: it has its number, and writes nothing before its statement comes. */
interface Running {
  readonly transaction: string
  /** A worker's pass before a receipt is stored, which is its statement then; null where its statement is a write of a document. */
  readonly pass: Effect.Effect<void> | null
  /** Whether the next write may be its statement. */
  isRipe: boolean
}

/**
 * One connection to a migrated database in which worlds live one after another, and a second one for a commit that ends late; the product's own
 * statements and driver.
 */
export class WorldDatabase {
  readonly #session: PgStatements
  readonly #other: PgStatements
  #running: Running | null = null
  readonly #scope: Scope.Closeable
  /** The open file of the world's moment. */
  readonly #file: number
  #worlds = 0
  /** Marks go on over worlds, so that a change is never taken for another world's. */
  #mark = 0
  #told = ""
  /** The first transaction that was not looked at. */
  #next = "0"
  readonly writes = new Writes()

  private constructor([session, other]: readonly [PgStatements, PgStatements], scope: Scope.Closeable, file: number) {
    this.#session = session
    this.#other = other
    this.#scope = scope
    this.#file = file
  }

  /** Connects to a database that only this process uses, and makes the world's schema there if it is new. */
  static async open({ dataDirectory, url }: WorldPlace): Promise<WorldDatabase> {
    const scope = Scope.makeUnsafe()
    const connect = Effect.gen(function*() {
      const context = yield* Layer.buildWithScope(layerDatabase({ url: Redacted.make(url), applicationName: "worlds", preparedStatements }), scope)
      const connection = Effect.provideService(Effect.provide(Effect.flatMap(PgDatabase, ({ session }) => session), context), Scope.Scope, scope)
      return [yield* connection, yield* connection] as const
    })
    const sessions = await Effect.runPromise(connect)
    const file = openSync(join(dataDirectory, `${moment.file}.${new URL(url).pathname.slice(1)}`), "w")
    const database = new WorldDatabase(sessions, scope, file)
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
    const settings = [...planner.map((name) => `${name} = off`), ...bounds.map((name) => `${name} = 0`), "synchronous_commit = off", "plan_cache_mode = force_generic_plan", `${watching} = off`,
      `search_path = ${searchPath}`, "client_min_messages = warning"]
    for (const setting of settings) await this.#both(`set ${setting}`)
  }

  async #both(sql: string): Promise<void> {
    await this.#run(sql)
    await Effect.runPromise(this.#other.query(sql))
  }

  /** Begins a world in the database as it was migrated. */
  async begin(): Promise<void> {
    await Effect.runPromise(this.#endRunning())
    await this.#run(emptyWorld)
    await this.#run(noRestore)
    await this.#run(workingMail)
    if (this.#worlds > 0 && this.#worlds % worldsBetweenVacuums === 0) await this.#run("vacuum analyze")
    this.#worlds += 1
    this.#told = ""
    await this.#both(`set ${watching} = off`)
  }

  /** Whether changes are noted, so that a failover can put them back. */
  watch(world: World, on: boolean): Effect.Effect<void, PgFailure> {
    const set = `set ${watching} = ${on ? "on" : "off"}`
    return Effect.asVoid(world.outside(Effect.andThen(this.#session.query(set), this.#other.query(set))))
  }

  /**
   * On the other connection a transaction begins that will end late: with a receipt, after others that began later and a worker's pass over them, or with
   * a write once it is ripe. Nothing begins where one runs already.
   */
  beginLate(world: World, pass: Effect.Effect<void> | null): Effect.Effect<void, PgFailure> {
    const begin = Effect.gen({ self: this }, function*() {
      if (this.#running !== null) return
      yield* this.#other.query("begin")
      const [row] = yield* this.#other.query<{ readonly transaction: string }>("select pg_current_xact_id()::text as transaction")
      this.#running = { transaction: row?.transaction ?? "0", pass, isRipe: false }
    })
    return world.outside(begin)
  }

  /** From now on the next write of a document is that transaction's. */
  ripen(): void {
    if (this.#running?.pass === null) this.#running.isRipe = true
  }

  /** Whether a statement is what the transaction on the other connection ends with. A worker has passed it then, if it is to. */
  #isLate({ isRipe, pass, transaction }: Running, sql: string, params: ReadonlyArray<unknown> | undefined): Effect.Effect<boolean, PgFailure> {
    if (pass === null) return Effect.succeed(isRipe && writesDocument.test(sql))
    if (!writesOutcome.test(sql) || params?.some(isReceipt) !== true) return Effect.succeed(false)
    const isPassed = Effect.map(this.#session.query(passedBy, [transaction]), ({ length }) => length > 0)
    return Effect.flatMap(isPassed, (is) => Effect.as(is ? pass : Effect.void, is))
  }

  #endRunning(): Effect.Effect<void, PgFailure> {
    return Effect.suspend(() => {
      if (this.#running === null) return Effect.void
      this.#running = null
      return Effect.asVoid(this.#other.query("commit"))
    })
  }

  /** The transaction on the other connection ends with this statement. */
  #endLate<Row extends object>(world: World, sql: string, params?: ReadonlyArray<unknown>): Effect.Effect<ReadonlyArray<Row>, PgFailure> {
    return Effect.gen({ self: this }, function*() {
      world.strike("commitEndsLate")
      const exit = yield* Effect.exit(this.#other.query<Row>(sql, params))
      this.#running = null
      yield* this.#other.query(Exit.isSuccess(exit) ? "commit" : "rollback")
      return yield* exit
    })
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
    const now = momentText(time, this.#mark, this.#running?.transaction ?? "0")
    if (now === this.#told) return
    writeSync(this.#file, now, 0)
    this.#told = now
  }

  /** The statements of a world: `single` ones may be what the transaction on the other connection ends with. */
  #statements(world: World, rewrite: Rewrite) {
    const counted = <Row extends object>(sql: string, answer: Effect.Effect<ReadonlyArray<Row>, PgFailure>) =>
      Effect.tap(answer, (rows) => Effect.sync(() => this.writes.count(sql, rows.length)))
    const now = this.#statement(world)
    const inTransaction: PgStatements = { query: <Row extends object>(sql: string, params?: ReadonlyArray<unknown>) => counted(sql, now.query<Row>(rewrite(sql), params)) }
    const late = <Row extends object>(sql: string, params?: ReadonlyArray<unknown>) =>
      Effect.suspend(() => {
        this.#tell(world.now)
        return counted(sql, this.#endLate<Row>(world, rewrite(sql), params))
      })
    const single: PgStatements = {
      query: <Row extends object>(sql: string, params?: ReadonlyArray<unknown>) =>
        Effect.suspend(() => this.#running === null
          ? inTransaction.query<Row>(sql, params)
          : Effect.flatMap(this.#isLate(this.#running, sql, params), (isLate) => isLate ? late<Row>(sql, params) : inTransaction.query<Row>(sql, params)))
    }
    return { inTransaction, single }
  }

  /** The product's access to the database, in a world: one statement after another, in the order in which they were asked. */
  service(world: World, rewrite: Rewrite): PgDatabase["Service"] {
    return worldService({ ...this.#statements(world, rewrite), asOne: (work) => world.outside(work) })
  }

  /** The same for work that is itself one piece outside of the world (`World.outside`): what it asks at the same time is sent without waiting for answers. */
  serviceOutside(world: World, rewrite: Rewrite): PgDatabase["Service"] {
    return worldService({ ...this.#statements(world, rewrite), asOne: (work) => work })
  }

  /** A moment to which a failover can go back. */
  mark(): number {
    this.#mark += 1
    return this.#mark
  }

  /** Puts back every row as it was at a mark. */
  goBack(world: World, mark: number): Effect.Effect<void, PgFailure> {
    const goBack = Effect.andThen(this.#endRunning(), Effect.suspend(() => this.#statement(world).query(goBackTo, [mark])))
    return Effect.map(world.outside(goBack), () => this.writes.countAll())
  }

  /** The operations of which something was written since this was asked last; asked outside of the world. */
  written(world: World): Effect.Effect<ReadonlyArray<string>, PgFailure> {
    return Effect.map(
      Effect.suspend(() => this.#statement(world).query<{ readonly operation_id: string; readonly next: string }>(writtenSince, [this.#next])),
      (rows) => {
        this.#next = rows[0]?.next ?? this.#next
        return rows.map(({ operation_id }) => operation_id)
      }
    )
  }
}
