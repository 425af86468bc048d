import { Clock, Effect } from "effect"

/** A moment on both clocks of the host. */
export interface Moment {
  readonly wallMillis: number
  readonly monotonicNanos: bigint
}

export const thisMoment: Effect.Effect<Moment> = Effect.gen(function*() {
  const wallMillis = yield* Clock.currentTimeMillis
  const monotonicNanos = yield* Clock.monotonicTimeNanos
  return { wallMillis, monotonicNanos }
})

/**
 * Milliseconds since a moment, the longer of two readings: the wall clock may be set back, and the monotonic one may stand still while the machine is
 * suspended. For a lease the safe error is to assume that more time has passed.
 */
export const millisSince = Effect.fnUntraced(function*(moment: Moment) {
  const now = yield* thisMoment
  return Math.max(now.wallMillis - moment.wallMillis, Number((now.monotonicNanos - moment.monotonicNanos) / 1_000_000n))
})
