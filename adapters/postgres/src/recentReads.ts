import { Cache, Clock, Duration, Effect, Exit } from "effect"

/** How stale the data of a receipt may be: a licence, a premise, a setting (the ports' comments). */
const freshFor = Duration.seconds(2)
/** When it is read again beside the requests, so that a busy host's sales never wait for the next read. */
const renewedAfterMillis = 1_000
const capacity = 10_000

interface Recent<A> {
  readonly value: A
  readonly readAt: number
  isRenewed: boolean
}

/**
 * Reads through a small cache: at most two seconds old, one read at a time per key, failures never cached. Keys are texts. A value that is asked for
 * after a second is read again in the background; if that fails, it is used until its two seconds are over.
 */
export const recentReads = Effect.fnUntraced(function*<A, E>(load: (key: string) => Effect.Effect<A, E>) {
  const read = Effect.fnUntraced(function*(key: string) {
    const readAt = yield* Clock.currentTimeMillis
    const recent: Recent<A> = { value: yield* load(key), readAt, isRenewed: false }
    return recent
  })
  const cache = yield* Cache.makeWith(read, { capacity, timeToLive: (exit) => (Exit.isSuccess(exit) ? freshFor : Duration.zero) })
  const renew = (key: string) => Effect.ignore(Effect.flatMap(read(key), (recent) => Cache.set(cache, key, recent)))
  return Effect.fnUntraced(function*(key: string) {
    const recent = yield* Cache.get(cache, key)
    if (recent.isRenewed || (yield* Clock.currentTimeMillis) - recent.readAt < renewedAfterMillis) return recent.value
    recent.isRenewed = true
    yield* Effect.forkDetach(renew(key))
    return recent.value
  })
})
