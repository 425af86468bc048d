import type { StoreUnavailable } from "@overa/domain"
import { Effect, Exit } from "effect"
import type { PgDatabase, PgStatements } from "../PgDatabase.ts"
import { PgFailure, toStoreUnavailable } from "../PgFailure.ts"

/**
 * One commit that may take minutes: on a connection of its own, so that no other commit waits for one. The server bounds each statement and the time between
 * two; the whole has no bound. Nothing is repeated: what fails is rolled back.
 */
export const longTransaction = <A, E>(
  database: PgDatabase["Service"],
  work: (statements: PgStatements) => Effect.Effect<A, E | PgFailure>
): Effect.Effect<A, Exclude<E, PgFailure> | StoreUnavailable> =>
  Effect.scoped(Effect.gen(function*() {
    const session = yield* database.session
    yield* session.query("begin")
    const value = yield* work(session).pipe(
      Effect.mapError((error) => error instanceof PgFailure ? new PgFailure({ committed: "no", sqlState: error.sqlState, constraint: error.constraint, cause: error.cause }) : error),
      Effect.onExit((exit) => Exit.isSuccess(exit) ? Effect.void : Effect.ignore(session.query("rollback")))
    )
    yield* session.query("commit")
    return value
  })).pipe(
    Effect.catchIf((error) => error instanceof PgFailure, (failure) => toStoreUnavailable(failure))
  ) as Effect.Effect<A, Exclude<E, PgFailure> | StoreUnavailable>
