import { Cause, Effect } from "effect"
import type { StoreUnavailable } from "../../ports/StoreUnavailable.ts"

/**
 * One try to store what may be the only trace of a receipt: it gives up where the store does not answer, and where a defect of our own code or a check of
 * the database ends it. Whoever calls it tries again, so that a defect does not make a process forget a receipt.
 *
 * @param gaveUp The answer of a try that gave up.
 * @param about What the log line of a defect names.
 */
export const triedAgain = <A, R, const G>(effect: Effect.Effect<A, StoreUnavailable, R>, gaveUp: G, about: Readonly<Record<string, string>>): Effect.Effect<A | G, never, R> =>
  effect.pipe(
    Effect.catchTag("StoreUnavailable", () => Effect.succeed(gaveUp)),
    Effect.catchDefect((defect) => Effect.as(Effect.logError("an outcome could not be stored because of a defect", { ...about, cause: Cause.pretty(Cause.die(defect)) }), gaveUp))
  )
