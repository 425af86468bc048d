import { type Credential, Credentials } from "@overa/domain"
import { DateTime, Effect } from "effect"
import { LRUCache } from "lru-cache"

/** How often a host stores that a credential got a token: a shop asks for one every few minutes, for years. */
export const useNotedEveryMillis = 3_600_000
/** The number of credentials that a host caches; the use of one that is evicted is stored once more. */
const capacity = 20_000

/** Stores that a credential got a token, at most once an hour. The token does not wait for it; after a failure the next token tries again. */
export const makeNoteOfUse = Effect.gen(function*() {
  const credentials = yield* Credentials
  const scope = yield* Effect.scope
  const notedAt = new LRUCache<string, number>({ max: capacity })
  return (credential: Credential, nowMillis: number): Effect.Effect<void> => {
    const { clientId } = credential
    const last = notedAt.get(clientId)
    if (last !== undefined && nowMillis - last < useNotedEveryMillis) return Effect.void
    notedAt.set(clientId, nowMillis)
    const written = credentials.noteUse(credential, DateTime.makeUnsafe(nowMillis)).pipe(
      Effect.catchCause(() => Effect.sync(() => notedAt.delete(clientId)))
    )
    return Effect.asVoid(Effect.forkIn(written, scope))
  }
})
