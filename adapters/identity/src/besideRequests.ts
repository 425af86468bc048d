import { type Context, Effect } from "effect"

/** What is used for this long is read again beside the requests, so that none of a busy host waits for it. */
export const renewedAfterMillis = 1_000

/**
 * Work that is begun beside the request that finds it due, never twice at once; its failure is nobody's. It is begun in one step, so that an
 * interruption of the request cannot leave it marked as running.
 */
export const besideRequests = () => {
  let isRunning = false
  return {
    begin: (work: Effect.Effect<unknown, unknown>): Effect.Effect<void> =>
      Effect.contextWith((context: Context.Context<never>) => Effect.sync(() => {
        if (isRunning) return
        isRunning = true
        Effect.runForkWith(context)(Effect.ensuring(Effect.ignore(work), Effect.sync(() => {
          isRunning = false
        })))
      }))
  }
}

/** One such work. */
export type BesideRequests = ReturnType<typeof besideRequests>
