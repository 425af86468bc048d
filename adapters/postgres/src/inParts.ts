import { Effect } from "effect"

/** The pause after a part while several works run, in durations of the part; at most so many milliseconds. */
const rest = 3
const longestRestMillis = 250
/** One export alone reads a part while it processes another one. */
const few = 2

/** Parts in work, and their pauses; one number for the process, because the process has one event loop. */
let unfinished = 0

/**
 * One part of a long work on many rows: a statement and the processing of its rows, some milliseconds. If several such works run in the process, each
 * of them pauses between its parts, so that database and event loop serve sales in between. What `process` throws is a defect.
 */
export const inParts = <Rows, A, E, R>(read: Effect.Effect<Rows, E, R>, process: (rows: Rows) => A): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      unfinished += 1
      return performance.now()
    }),
    (began) => {
      const pause = Effect.suspend(() => unfinished <= few ? Effect.void : Effect.sleep(Math.min(rest * (performance.now() - began), longestRestMillis)))
      return Effect.map(read, process).pipe(Effect.tap(pause))
    },
    () => Effect.sync(() => void (unfinished -= 1))
  )
