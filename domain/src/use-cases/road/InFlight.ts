import { Context, Deferred, Effect, Exit, Layer } from "effect"
import type { Operation } from "../../operations/Operation.ts"
import type { FiscalDocumentId } from "../../tenancy/identifiers.ts"

/**
 * The submissions that this process has in flight. A duplicate that arrives meanwhile waits here for the stored outcome; what another process has in
 * flight is visible only in the store.
 */
export class InFlight extends Context.Service<InFlight, {
  /**
   * Runs a submission of an operation. All waiters are woken when it ends, in whatever way: with the operation that `stored` finds in the result, or
   * with null where there is none or the submission failed with a defect.
   */
  readonly during: <A, E, R>(
    id: FiscalDocumentId,
    submission: Effect.Effect<A, E, R>,
    stored: (result: A) => Operation | null
  ) => Effect.Effect<A, E, R>
  /** Undefined when this process has no such submission in flight. */
  readonly outcome: (id: FiscalDocumentId) => Effect.Effect<Operation | null> | undefined
  readonly count: () => number
}>()("@overa/domain/use-cases/road/InFlight") {
  static readonly layer = Layer.sync(InFlight, () => {
    const waiting = new Map<FiscalDocumentId, Deferred.Deferred<Operation | null>>()
    return InFlight.of({
      during: (id, submission, stored) =>
        Effect.suspend(() => {
          // A second submission of the same operation loses its compare-and-set; the waiters wait for the first one.
          if (waiting.has(id)) return submission
          const ended = Deferred.makeUnsafe<Operation | null>()
          waiting.set(id, ended)
          return Effect.onExit(submission, (exit) =>
            Effect.sync(() => {
              waiting.delete(id)
              Deferred.doneUnsafe(ended, Effect.succeed(Exit.isSuccess(exit) ? stored(exit.value) : null))
            }))
        }),
      outcome: (id) => {
        const deferred = waiting.get(id)
        return deferred === undefined ? undefined : Deferred.await(deferred)
      },
      count: () => waiting.size
    })
  })
}
