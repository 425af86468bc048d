import { Effect, Option, Result } from "effect"
import { isDocument, type KeyHolder } from "../../operations/KeyHolder.ts"
import type { Operation } from "../../operations/Operation.ts"
import { OperationStore, type Reservation } from "../../ports/OperationStore.ts"
import type { StoreUnavailable } from "../../ports/StoreUnavailable.ts"

/** What a first commit stores: the document that is sent next, and whatever a kind stores with it. */
export interface Kept {
  readonly reservation: Reservation
}

export type Committed<K> =
  | { readonly _tag: "Kept"; readonly kept: K }
  /** Another request or host has the key, the attempt number, or a resource that only one may have. `existing` is null if the holder is not known. */
  | { readonly _tag: "Taken"; readonly existing: KeyHolder | null }

/** Commit 1 of an attempt: of a new document, or of the next attempt of one that is stored. */
export interface FirstCommit<K extends Kept, Refusal = never> {
  /** The document as offered. The stored one has the same id and attempt, but may have other content. */
  readonly reservation: Reservation
  readonly commit: Effect.Effect<Result.Result<Committed<K>, Refusal>, StoreUnavailable>
  /** Reads the result of a commit that was not confirmed; None when it is not stored. */
  readonly reread: Effect.Effect<Option.Option<Committed<K>>, StoreUnavailable>
  /** Stores the same reservation again, after the store lost it. */
  readonly again: (kept: K) => Effect.Effect<Committed<K>, StoreUnavailable>
}

/** Whether a stored operation is still exactly as offered, so that its attempt may be sent. */
const isAsOffered = (stored: Operation, offered: Operation): boolean =>
  stored.id === offered.id && stored.status === offered.status && stored.attempt === offered.attempt

/** Reads by the offered document's key: the own commit, which `kept` builds from what is stored, or the other holder of the key. */
export const rereadByKey = Effect.fnUntraced(function*<K>(
  store: OperationStore["Service"],
  offered: Operation,
  kept: (stored: Operation) => Effect.Effect<Option.Option<K>, StoreUnavailable>
) {
  const { organizationId, boundKey } = offered
  const stored = yield* store.findByKey({ organizationId, role: boundKey.role, key: boundKey.key })
  if (Option.isNone(stored)) return Option.none<Committed<K>>()
  const own = isDocument(stored.value) && isAsOffered(stored.value, offered) ? yield* kept(stored.value) : Option.none<K>()
  return Option.some<Committed<K>>(
    Option.isSome(own) ? { _tag: "Kept", kept: own.value } : { _tag: "Taken", existing: stored.value }
  )
})

/** Stores the document alone. */
export const plainCommit = Effect.fnUntraced(function*(reservation: Reservation) {
  const store = yield* OperationStore
  const reserve = Effect.map(store.reserve(reservation), (reserved): Committed<Kept> =>
    reserved._tag === "Reserved"
      ? { _tag: "Kept", kept: { reservation } }
      : { _tag: "Taken", existing: reserved.existing })
  const commit: FirstCommit<Kept> = {
    reservation,
    commit: Effect.map(reserve, Result.succeed),
    reread: Effect.suspend(() => rereadByKey(store, reservation.operation, () => Effect.succeedSome({ reservation }))),
    again: () => reserve
  }
  return commit
})
