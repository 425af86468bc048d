import { Cache, Clock, Duration, Effect, Exit, Option } from "effect"

/** How stale the data of a receipt may be, from the moment in which its reading began: a licence, a premise, a setting (the ports' comments). */
const freshMillis = 2_000
/** When it is read again beside the requests, so that a busy host's sales never wait for the next read. */
const renewedAfterMillis = 1_000
const capacity = 10_000

interface Recent<A> {
  readonly value: A
  readonly readAt: number
  /** For how long it may be used once it was read. */
  readonly leftMillis: number
  isRenewed: boolean
}

/**
 * Reads through a small cache: at most two seconds old, one read at a time per key, failures never cached. Keys are texts. A value that is asked for
 * after a second is read again in the background; if that fails, it is used until its two seconds are over.
 */
export const recentReads = Effect.fnUntraced(function*<A, E>(load: (key: string) => Effect.Effect<A, E>) {
  const read = Effect.fnUntraced(function*(key: string) {
    const readAt = yield* Clock.currentTimeMillis
    const value = yield* load(key)
    const recent: Recent<A> = { value, readAt, leftMillis: Math.max(0, readAt + freshMillis - (yield* Clock.currentTimeMillis)), isRenewed: false }
    return recent
  })
  const cache = yield* Cache.makeWith(read, { capacity, timeToLive: (exit) => Duration.millis(Exit.isSuccess(exit) ? exit.value.leftMillis : 0) })
  const renew = Effect.fnUntraced(function*(key: string) {
    const recent = yield* read(key)
    const meanwhile = yield* Cache.getSuccess(cache, key)
    // What took two seconds to come is too old, and a later reading may have come before it.
    if (recent.leftMillis === 0 || Option.exists(meanwhile, ({ readAt }) => readAt > recent.readAt)) return
    yield* Cache.set(cache, key, recent)
  }, (renewal) => Effect.ignore(renewal))
  return Effect.fnUntraced(function*(key: string) {
    const recent = yield* Cache.get(cache, key)
    if (recent.isRenewed || (yield* Clock.currentTimeMillis) - recent.readAt < renewedAfterMillis) return recent.value
    recent.isRenewed = true
    yield* Effect.forkDetach(renew(key))
    return recent.value
  })
})
