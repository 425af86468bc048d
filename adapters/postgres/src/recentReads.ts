import { Cache, Duration, Effect, Exit } from "effect"

/** How stale the data of a receipt may be: a licence, a premise, a setting (the ports' comments). */
const freshFor = Duration.seconds(2)
const capacity = 10_000

/** Reads through a small cache: at most two seconds old, one read at a time per key, failures never cached. Keys are texts. */
export const recentReads = <A, E>(
  load: (key: string) => Effect.Effect<A, E>
): Effect.Effect<(key: string) => Effect.Effect<A, E>> =>
  Effect.map(
    Cache.makeWith(load, { capacity, timeToLive: (exit) => (Exit.isSuccess(exit) ? freshFor : Duration.zero) }),
    (cache) => (key: string) => Cache.get(cache, key)
  )
