import * as PgConnection from "@effect/sql-pg/PgConnection"
import * as PgPool from "@effect/sql-pg/PgPool"
import type { StoreUnavailable } from "@overa/domain"
import { Context, Duration, Effect, Exit, Layer, PartitionedSemaphore, Redacted, Schedule, type Scope } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { boundedBy } from "./boundedBy.ts"
import { primaryServer } from "./primaryServer.ts"
import { serverAddresses } from "./serverAddresses.ts"
import { UnansweredCommits } from "./UnansweredCommits.ts"
import { classifySqlError, isConflict, PgFailure, toStoreUnavailable } from "./PgFailure.ts"

/** The address of the database and the time-outs of its use. */
export interface PgDatabaseConfig {
  /** One or several servers of which one is the primary: `postgres://user:password@one:5432,two:5432/database`. */
  readonly url: Redacted.Redacted
  /** PEM of the roots to trust for the server's certificate, which is then required; null or absent: the system's roots, where the URL asks for TLS. */
  readonly trustAnchors?: string | null
  /** Shown in `pg_stat_activity`, where it identifies the process of a connection. */
  readonly applicationName: string
  /** Connections for everything but the operations' own statements (default 16). */
  readonly maxConnections?: number
  /** Connections for statements that find their rows by key, mainly the two commits of a sale (default 16). */
  readonly maxKeyedConnections?: number
  /** Connections for commits of several statements (default 8). */
  readonly maxTransactions?: number
  /** The server cancels a statement after this long. */
  readonly statementTimeoutMillis?: number
  readonly connectTimeoutMillis?: number
  /** Statements that each connection keeps prepared (default 100). */
  readonly preparedStatements?: number
}

/** Runs one statement. Rows come as the driver reads them: uuid and numeric as text, timestamptz as Date. */
export interface PgStatements {
  readonly query: <Row extends object>(sql: string, params?: ReadonlyArray<unknown>) => Effect.Effect<
    ReadonlyArray<Row>,
    PgFailure
  >
}

/** `query`, and `read`, which turns failures into the ports' error. */
export interface PgQueries extends PgStatements {
  readonly read: <Row extends object>(sql: string, params?: ReadonlyArray<unknown>) => Effect.Effect<
    ReadonlyArray<Row>,
    StoreUnavailable
  >
}

/** The statements that find their rows by key, and what is known about commits that had no answer. */
export interface PgKeyed extends PgQueries {
  /** Notes a commit that was given up without an answer. */
  readonly noteUnanswered: () => void
  /**
   * A read of what callers are told as stored: it fails while the rows may be on this server's disk alone, although commits must be on a standby's, too.
   * A read in several statements is confirmed once, after the last of them. Without an unanswered commit it costs nothing.
   */
  readonly confirmed: <A, E, R>(reading: Effect.Effect<A, E, R>, of: { readonly organizationId: string }) => Effect.Effect<A, E | StoreUnavailable, R>
}

/**
 * The only access to PostgreSQL: constant SQL, positional parameters, every wait bounded. Only this module names the driver, so that another one can
 * replace it.
 */
export class PgDatabase extends Context.Service<PgDatabase, PgQueries & {
  /**
   * The same over separate connections, for statements that find every row by an index. There the planner may not choose a scan of a whole table: a
   * plan made while the table is small is kept for the connection's life, and would be slow when the table has grown (measured). Nor can a slow
   * report on the other connections delay a sale.
   */
  readonly keyed: PgKeyed
  /**
   * Runs a report (a search, an export, a turnover). This process runs 3 at a time. If more wait, they run in round robin over organizations, so that
   * the reports of one organization never hold all connections. Not reentrant: a report must not start another one.
   */
  readonly inTurn: <A, E, R>(report: Effect.Effect<A, E, R>, of: { readonly organizationId: string }) => Effect.Effect<A, E, R>
  /** Several statements as one commit. Repeated after a serialization conflict, so `work` must have no effect elsewhere. */
  readonly transaction: <A, E>(work: (statements: PgStatements) => Effect.Effect<A, E | PgFailure>) => Effect.Effect<
    A,
    Exclude<E, PgFailure> | StoreUnavailable
  >
  /** Whether the tables are split over several servers by organization (Citus); undefined until the database has said so. */
  readonly isSplit: () => boolean | undefined
  /** Whether answers are stored without what their links repeat (docs/adr/0409); undefined until the database has said so, and then as it was at the start of this process. */
  readonly packsAnswers: () => boolean | undefined
  /** A connection of its own until the scope closes; the server ends the session when the process ends. */
  readonly session: Effect.Effect<PgStatements, PgFailure, Scope.Scope>
  /** Such a connection for changes of the schema: a statement may take hours, but waits for a lock only two seconds. */
  readonly maintenance: Effect.Effect<PgStatements, PgFailure, Scope.Scope>
}>()("@overa/adapter-postgres/PgDatabase") {}

const retryConflicts = <A, E, R>(effect: Effect.Effect<A, E | PgFailure, R>): Effect.Effect<A, E | PgFailure, R> =>
  Effect.retry(effect, {
    while: (error) => error instanceof PgFailure && isConflict(error),
    times: 5,
    schedule: Schedule.jittered(Schedule.exponential("5 millis"))
  })

const statementsOn = (connection: PgConnection.PgConnection): PgStatements => ({
  query: <Row extends object>(sql: string, params: ReadonlyArray<unknown> = []) =>
    connection.query(sql, params).pipe(
      Effect.map((result) => result.rows as unknown as ReadonlyArray<Row>),
      Effect.mapError(classifySqlError)
    )
})

const connectionOptions = (config: PgDatabaseConfig, url: Redacted.Redacted, bounds: Bounds) => ({
  url,
  ...(typeof config.trustAnchors === "string" ? { ssl: { ca: config.trustAnchors } } : {}),
  applicationName: config.applicationName,
  ...(config.preparedStatements === undefined ? {} : { preparedStatementCacheSize: config.preparedStatements }),
  connectTimeout: Duration.millis(config.connectTimeoutMillis ?? 5_000),
  keepAlive: Duration.seconds(10),
  startupParameters: {
    statement_timeout: String(bounds.statement),
    lock_timeout: String(bounds.lock),
    idle_in_transaction_session_timeout: String(bounds.statement * 2),
    // Nothing is acknowledged before it is on disk, whatever the server's default.
    synchronous_commit: "on",
    timezone: "UTC",
    // No statement here runs so long that its compilation would pay.
    jit: "off"
  }
})

// Once COMMIT was sent its outcome can be unknown; before that the server itself rolls everything back.
const commit = (connection: PgConnection.PgConnection): Effect.Effect<void, PgFailure> =>
  connection.query("commit").pipe(
    Effect.mapError(classifySqlError),
    Effect.flatMap((result) =>
      result.command === "ROLLBACK"
        ? Effect.fail(new PgFailure({ committed: "no", sqlState: null, constraint: null, cause: new Error("The commit was a rollback") }))
        : Effect.void
    )
  )

const beforeCommit = (failure: PgFailure): PgFailure =>
  new PgFailure({ committed: "no", sqlState: failure.sqlState, constraint: failure.constraint, cause: failure.cause })

const runTransaction = Effect.fnUntraced(function*<A, E>(
  acquire: Effect.Effect<PgConnection.PgConnection, SqlError, Scope.Scope>,
  work: (statements: PgStatements) => Effect.Effect<A, E | PgFailure>
) {
  const connection = yield* Effect.mapError(acquire, classifySqlError)
  const statements = statementsOn(connection)
  const worked = Effect.andThen(statements.query("begin"), Effect.suspend(() => work(statements))).pipe(
    Effect.mapError((error) => (error instanceof PgFailure ? beforeCommit(error) : error)),
    Effect.onExit((exit) => Exit.isSuccess(exit) ? Effect.void : Effect.ignore(connection.query("rollback")))
  )
  const value = yield* worked
  yield* commit(connection)
  return value
}, Effect.scoped)

const indexesOnly = { enable_seqscan: "off", enable_hashjoin: "off", enable_mergejoin: "off" }

// Lists and searches depend on their filter: a generic plan would read a whole organization for a rare word.
const planEach = { plan_cache_mode: "force_custom_plan" }

// When no connection becomes free in time, the statement fails too: it was not sent and never will be.
const runOn = <Row extends object>({ pool, unanswered }: Source, millis: number, sql: string, params: ReadonlyArray<unknown>) =>
  Effect.suspend(() => {
    let sent = false
    const send = (connection: PgConnection.PgConnection) => {
      sent = true
      return connection.query(sql, params)
    }
    return pool().use(send).pipe(
      Effect.map((result) => result.rows as unknown as ReadonlyArray<Row>),
      Effect.mapError(classifySqlError),
      boundedBy({ millis, committed: () => (sent ? "unknown" : "no"), unanswered })
    )
  })

/** One of the pools of the current primary, and the reaction to a failure, which may make its role doubtful or leave a commit without an answer. */
interface Source {
  readonly pool: () => PgPool.PgPool
  readonly unanswered: UnansweredCommits
  readonly failed: (failure: PgFailure) => Effect.Effect<void>
}

const queriesOn = (source: Source, longestMillis: number): PgQueries => {
  const query: PgStatements["query"] = <Row extends object>(sql: string, params: ReadonlyArray<unknown> = []) =>
    retryConflicts(Effect.tapError(runOn<Row>(source, longestMillis, sql, params), source.failed))
  const read: PgQueries["read"] = <Row extends object>(sql: string, params?: ReadonlyArray<unknown>) =>
    Effect.catchTag(query<Row>(sql, params), "PgFailure", toStoreUnavailable)
  return { query, read }
}

const keyedOn = (source: Source, longestMillis: number, isSplit: () => boolean | undefined): PgKeyed => {
  const { unanswered } = source
  const queries = queriesOn(source, longestMillis)
  return {
    ...queries,
    noteUnanswered: () => unanswered.note(),
    confirmed: (reading, { organizationId }) => Effect.tap(reading, unanswered.confirm(queries, { organizationId, isSplit }))
  }
}

const sessionOn = (options: PgConnection.Config) => PgConnection.make(options).pipe(Effect.map(statementsOn), Effect.mapError(classifySqlError))

/** The schema is older than this release: it has no such column yet. */
const isNotThere = ({ sqlState }: PgFailure): boolean => sqlState?.startsWith("42") === true

/**
 * What the database says of itself, as `found`; asked until it answers. Meanwhile every commit is a statement of its own, and stores whole answers, which is correct everywhere.
 */
const saidOf = Effect.fnUntraced(function*(queries: PgQueries, sql: string) {
  let found: boolean | undefined
  const ask = queries.query<{ readonly found: boolean }>(sql).pipe(
    Effect.catchIf(isNotThere, () => Effect.succeed([{ found: false }])),
    Effect.map(([row]) => {
      found = row?.found
    })
  )
  yield* Effect.forkScoped(Effect.retry(ask, Schedule.spaced("1 second")))
  return () => found
})

const splitSaid = "select exists (select from pg_extension where extname = 'citus') as found"
const packsSaid = "select bool_and(packs_answers) as found from environment_settings"

/** Less than either pool that reports use (16 connections, 8 for transactions), so that both always have free connections for other statements. */
const reportsAtOnce = 3

interface Bounds {
  readonly statement: number
  readonly lock: number
}

/** The pools of one server; they connect on first use, so a standby has none until it is promoted. */
const poolsOf = Effect.fnUntraced(function*(config: PgDatabaseConfig, options: PgConnection.Config) {
  const poolOf = (maxConnections: number, planner: Readonly<Record<string, string>>) =>
    PgPool.make({
      ...options,
      startupParameters: { ...options.startupParameters, ...planner },
      maxConnections,
      multiplex: false
    }).pipe(Effect.mapError(classifySqlError))
  return {
    reports: yield* poolOf(config.maxConnections ?? 16, planEach),
    keyed: yield* poolOf(config.maxKeyedConnections ?? 16, indexesOnly),
    transactions: yield* poolOf(config.maxTransactions ?? 8, indexesOnly)
  }
})

const make = Effect.fnUntraced(function*(config: PgDatabaseConfig) {
  const statementTimeout = config.statementTimeoutMillis ?? 8_000
  // The server cancels a statement first; this bound is for a server, or a network, that does not answer at all. The driver takes up to five seconds
  // more to close such a connection, so with the defaults no request waits longer than 15 seconds.
  const longestMillis = statementTimeout + 2_000
  const addresses = serverAddresses(config.url)
  const optionsFor = (bounds: Bounds) => addresses.map((url) => connectionOptions(config, url, bounds))
  const usual = optionsFor({ statement: statementTimeout, lock: statementTimeout })
  const schema = optionsFor({ statement: 0, lock: 2_000 })
  const servers = yield* Effect.forEach(usual, (options) => poolsOf(config, options))
  const primary = yield* primaryServer(usual)
  const ofPrimary = <A>(each: ReadonlyArray<A>): A => each[primary.current()] as A
  const unanswered = new UnansweredCommits()
  const failed = (failure: PgFailure) => Effect.andThen(Effect.sync(() => unanswered.noteFailure(failure)), primary.doubt(failure))
  const source = (pick: (pools: typeof servers[number]) => PgPool.PgPool): Source => ({ pool: () => pick(ofPrimary(servers)), unanswered, failed })
  const queries = queriesOn(source((pools) => pools.reports), longestMillis)
  const isSplit = yield* saidOf(queries, splitSaid)
  const packsAnswers = yield* saidOf(queries, packsSaid)
  const sessionWith = (options: ReadonlyArray<PgConnection.Config>) =>
    Effect.suspend(() => Effect.tapError(sessionOn(ofPrimary(options)), primary.doubt))
  const reports = PartitionedSemaphore.makeUnsafe<string>({ permits: reportsAtOnce })
  return PgDatabase.of({
    ...queries,
    inTurn: (report, { organizationId }) => reports.withPermit(organizationId)(report),
    isSplit,
    packsAnswers,
    keyed: keyedOn(source((pools) => pools.keyed), longestMillis, isSplit),
    transaction: <A, E>(work: (statements: PgStatements) => Effect.Effect<A, E | PgFailure>) =>
      Effect.suspend(() => runTransaction(ofPrimary(servers).transactions.reserve, work)).pipe(
        boundedBy({ millis: longestMillis, committed: () => "unknown", unanswered }),
        Effect.tapError((error) => (error instanceof PgFailure ? failed(error) : Effect.void)),
        retryConflicts,
        Effect.catchIf((error) => error instanceof PgFailure, (failure) => toStoreUnavailable(failure))
      ) as Effect.Effect<A, Exclude<E, PgFailure> | StoreUnavailable>,
    session: sessionWith(usual),
    maintenance: sessionWith(schema)
  })
})

/** The pool; it connects on first use, so a database that is down makes requests fail, not the start. */
export const layerDatabase = (config: PgDatabaseConfig): Layer.Layer<PgDatabase, PgFailure> =>
  Layer.effect(PgDatabase, make(config))
