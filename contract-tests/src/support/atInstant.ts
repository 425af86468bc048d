import { Effect } from "effect"
import { TestClock } from "effect/testing"

/** Runs an effect at an instant, like 2026-11-05T10:00:00Z. */
export const at = <A, E, R>(instant: string, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.andThen(TestClock.setTime(Date.parse(instant)), effect).pipe(Effect.provide(TestClock.layer()))
