import { Cache, Duration, Effect, Exit } from "effect"

/** What a receipt may know at most this late: a licence, a premise, a setting (the ports' comments). */
const freshFor = Duration.seconds(2)
const capacity = 10_000

/**
 * Reads through a small memory: at most two seconds old, one read at a time per key, failures never remembered. Keys are texts.
 */
export const recentReads = <A, E>(
  load: (key: string) => Effect.Effect<A, E>
): Effect.Effect<(key: string) => Effect.Effect<A, E>> =>
  Effect.map(
    Cache.makeWith(load, { capacity, timeToLive: (exit) => (Exit.isSuccess(exit) ? freshFor : Duration.zero) }),
    (cache) => (key: string) => Cache.get(cache, key)
  )
