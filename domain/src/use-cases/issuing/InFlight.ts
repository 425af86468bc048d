import { Context, Deferred, Effect, Exit, Layer } from "effect"
import type { Operation } from "../../operations/Operation.ts"
import { UnresolvedOperations } from "../../ports/OperationStore.ts"
import type { FiscalDocumentId, SecurityElementId } from "../../tenancy/identifiers.ts"

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
}>()("@overa/domain/use-cases/issuing/InFlight") {
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

/**
 * The first answer that the V-PFR gives for an element makes the element's unknown outcomes due at once (Decisions §4, Resolution): the first one in
 * this process, which cannot know what an earlier process left unknown, and the first one after an outcome was left unknown here. Every other answer
 * costs nothing.
 */
export class ElementContacts extends Context.Service<ElementContacts, {
  readonly lost: (elementId: SecurityElementId) => void
  readonly answered: (elementId: SecurityElementId) => Effect.Effect<void>
}>()("@overa/domain/use-cases/issuing/ElementContacts") {
  static readonly layer = Layer.effect(
    ElementContacts,
    Effect.gen(function*() {
      const unresolved = yield* UnresolvedOperations
      const answering = new Set<SecurityElementId>()
      return ElementContacts.of({
        lost: (elementId) => {
          answering.delete(elementId)
        },
        answered: (elementId) => {
          if (answering.has(elementId)) return Effect.void
          answering.add(elementId)
          return unresolved.makeDue(elementId).pipe(
            // A failure here loses nothing: the operations keep their own next check.
            Effect.catchTag("StoreUnavailable", () => Effect.sync(() => void answering.delete(elementId))),
            // In the background, because the caller already has its receipt.
            Effect.forkDetach,
            Effect.asVoid
          )
        }
      })
    })
  )
}
