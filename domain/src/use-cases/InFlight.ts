import { Context, Deferred, Effect, Layer } from "effect"
import type { Operation } from "../operations/Operation.ts"
import type { FiscalDocumentId } from "../tenancy/identifiers.ts"

/**
 * The submissions this process has under way. A duplicate that arrives meanwhile waits here for the stored outcome; what another
 * process has under way is only visible in the store.
 */
export class InFlight extends Context.Service<InFlight, {
  readonly begin: (id: FiscalDocumentId) => void
  /** Wakes everyone who waits with what was stored; null when the submission came to nothing. */
  readonly end: (id: FiscalDocumentId, operation: Operation | null) => void
  /** Undefined when this process has no such submission under way. */
  readonly outcome: (id: FiscalDocumentId) => Effect.Effect<Operation | null> | undefined
  readonly count: () => number
}>()("@overa/domain/use-cases/InFlight") {
  static readonly layer = Layer.sync(InFlight, () => {
    const waiting = new Map<FiscalDocumentId, Deferred.Deferred<Operation | null>>()
    return InFlight.of({
      begin: (id) => {
        if (!waiting.has(id)) waiting.set(id, Deferred.makeUnsafe())
      },
      end: (id, operation) => {
        const deferred = waiting.get(id)
        if (deferred === undefined) return
        waiting.delete(id)
        Deferred.doneUnsafe(deferred, Effect.succeed(operation))
      },
      outcome: (id) => {
        const deferred = waiting.get(id)
        return deferred === undefined ? undefined : Deferred.await(deferred)
      },
      count: () => waiting.size
    })
  })
}
