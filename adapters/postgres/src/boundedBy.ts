import { Duration, Effect, Option } from "effect"
import { PgFailure } from "./PgFailure.ts"
import type { UnansweredCommits } from "./UnansweredCommits.ts"

interface Bound {
  readonly millis: number
  readonly committed: () => PgFailure["committed"]
  readonly unanswered: UnansweredCommits
}

const timedOut = ({ committed, millis }: Bound): PgFailure =>
  new PgFailure({ committed: committed(), sqlState: null, constraint: null, cause: new Error(`PostgreSQL did not answer within ${millis} ms`) })

/**
 * Cancels a statement or a transaction after a time. What may have been committed is noted before the server is asked to cancel it: a wait for the
 * standby ends with that, and the row can be read although it is on this server alone.
 */
export const boundedBy = (bound: Bound) => <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | PgFailure, R> => {
  const givenUp = Effect.sync(() => {
    if (bound.committed() === "unknown") bound.unanswered.note()
    return Option.none<A>()
  })
  const bounded = Effect.raceFirst(Effect.asSome(effect), Effect.andThen(Effect.sleep(Duration.millis(bound.millis)), givenUp))
  return Effect.flatMap(bounded, Option.match({ onNone: () => Effect.fail(timedOut(bound)), onSome: Effect.succeed }))
}
