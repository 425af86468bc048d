import { PgDatabase, PgFailure, type PgQueries, type PgStatements, toStoreUnavailable } from "@overa/adapter-postgres"
import { Effect, Exit, Fiber } from "effect"

/** How a service's statements reach the database of a world. */
export interface WorldStatements {
  /** Statements that are commits of their own. */
  readonly single: PgStatements
  /** The statements of a transaction, with `begin` and `commit`. */
  readonly inTransaction: PgStatements
  /** Runs something as one piece of work. */
  readonly asOne: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** `begin` does not wait for its answer: it can only fail with the connection. */
const transactionOn = (statements: PgStatements, work: (statements: PgStatements) => Effect.Effect<unknown, unknown>): Effect.Effect<unknown, unknown> =>
  Effect.gen(function*() {
    const begun = yield* Effect.forkChild(statements.query("begin"), { startImmediately: true })
    const exit = yield* Effect.exit(work(statements))
    yield* Fiber.join(begun)
    if (Exit.isFailure(exit)) {
      yield* statements.query("rollback")
      return yield* exit
    }
    yield* statements.query("commit")
    return exit.value
  })

/** The product's access to a database, over the statements of a world. */
export const worldService = ({ asOne, inTransaction, single }: WorldStatements): PgDatabase["Service"] => {
  const query: PgQueries["query"] = <Row extends object>(sql: string, params?: ReadonlyArray<unknown>) => asOne(single.query<Row>(sql, params))
  const queries: PgQueries = {
    query,
    read: <Row extends object>(sql: string, params: ReadonlyArray<unknown> = []) => Effect.catchTag(query<Row>(sql, params), "PgFailure", toStoreUnavailable)
  }
  const noSession = Effect.die(new Error("a world has one connection"))
  return PgDatabase.of({
    ...queries,
    // A world has no standby: what is stored is stored everywhere.
    keyed: { ...queries, noteUnanswered: () => undefined, confirmed: (reading) => reading },
    inTurn: (report) => report,
    isSplit: () => false,
    packsAnswers: () => true,
    session: noSession,
    maintenance: noSession,
    transaction: ((work: Parameters<PgDatabase["Service"]["transaction"]>[0]) =>
      asOne(transactionOn(inTransaction, work)).pipe(Effect.catchIf((error) => error instanceof PgFailure, (failure) => toStoreUnavailable(failure as PgFailure)))
    ) as PgDatabase["Service"]["transaction"]
  })
}
