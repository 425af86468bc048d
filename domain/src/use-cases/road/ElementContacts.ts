import { Context, Effect, Layer } from "effect"
import { UnresolvedOperations } from "../../ports/OperationStore.ts"
import type { SecurityElementId } from "../../tenancy/identifiers.ts"

/**
 * The first answer that the V-PFR gives for an element makes the element's unknown outcomes due at once (Decisions §4, Resolution): the first one in
 * this process, which cannot know what an earlier process left unknown, and the first one after an outcome was left unknown here. Every other answer
 * costs nothing.
 */
export class ElementContacts extends Context.Service<ElementContacts, {
  readonly lost: (elementId: SecurityElementId) => void
  readonly answered: (elementId: SecurityElementId) => Effect.Effect<void>
}>()("@overa/domain/use-cases/road/ElementContacts") {
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
