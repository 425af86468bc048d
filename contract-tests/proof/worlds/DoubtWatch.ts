import { isInDoubt } from "@overa/adapter-memory"
import type { FiscalDocumentId, Redrive, StoreUnavailable } from "@overa/domain"
import { Effect } from "effect"
import { orderKeyOf } from "./SimulatedVpfr.ts"
import type { StoreBehind } from "./StoreBehind.ts"

/** Watches that nothing is sent of a document while an item says that there may be a receipt of it (docs/adr/0123). */
export class DoubtWatch {
  /** Documents that were sent all the same, in words. */
  readonly faults: Array<string> = []
  readonly #behind: StoreBehind
  /** Documents that were ever seen in doubt. */
  readonly #doubted = new Set<FiscalDocumentId>()

  constructor(behind: StoreBehind) {
    this.#behind = behind
  }

  /** Notes which documents of the view are in doubt. */
  note(): void {
    for (const stored of this.#behind.memory.byId.values()) if (isInDoubt(stored)) this.#doubted.add(stored.operation.id)
  }

  /** How many attempts a document has; infinitely many while it is in no doubt. */
  #attemptsInDoubt(id: FiscalDocumentId): Effect.Effect<number> {
    return Effect.map(this.#behind.look, () => {
      const stored = this.#behind.memory.byId.get(id)
      return stored !== undefined && isInDoubt(stored) ? stored.attempts.length : Infinity
    })
  }

  /** The next attempt of a document: an item that is open before and after it was open all along. */
  around<A>({ operation: { content, id } }: Redrive, work: Effect.Effect<A, StoreUnavailable>): Effect.Effect<A, StoreUnavailable> {
    return Effect.suspend(() => {
      if (!this.#doubted.has(id)) return work
      return Effect.flatMap(this.#attemptsInDoubt(id), (before) =>
        Effect.tap(work, () => Effect.map(this.#attemptsInDoubt(id), (after) => {
          if (after > before && after < Infinity) this.faults.push(`${orderKeyOf(content)} was sent while there may be a receipt of it`)
        })))
    })
  }
}
