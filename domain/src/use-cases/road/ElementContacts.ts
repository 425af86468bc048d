import { Context, Effect, Layer } from "effect"
import { UnresolvedOperations } from "../../ports/OperationStore.ts"
import type { SecurityElementId } from "../../tenancy/identifiers.ts"

/**
 * Remembers which elements left an outcome unknown in this process, so that the first answer the V-PFR gives that element again
 * makes its unknown outcomes due at once (Decisions §4, Resolution) and every other answer costs nothing.
 */
export class ElementContacts extends Context.Service<ElementContacts, {
  readonly lost: (elementId: SecurityElementId) => void
  readonly answered: (elementId: SecurityElementId) => Effect.Effect<void>
}>()("@overa/domain/use-cases/ElementContacts") {
  static readonly layer = Layer.effect(
    ElementContacts,
    Effect.gen(function*() {
      const unresolved = yield* UnresolvedOperations
      const silent = new Set<SecurityElementId>()
      return ElementContacts.of({
        lost: (elementId) => {
          silent.add(elementId)
        },
        answered: (elementId) => {
          if (!silent.delete(elementId)) return Effect.void
          return unresolved.makeDue(elementId).pipe(
            // Nothing is lost when this fails: the operations keep their own next check.
            Effect.catchTag("StoreUnavailable", () => Effect.sync(() => silent.add(elementId))),
            Effect.asVoid
          )
        }
      })
    })
  )
}
