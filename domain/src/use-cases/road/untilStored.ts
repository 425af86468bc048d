import { Clock, Effect } from "effect"

/** How long something is retried, and with which longest pause. */
export interface Patience {
  /** Epoch milliseconds of this host's clock. */
  readonly untilMillis: number
  readonly longestPauseMillis: number
  /** The limit of retries, which holds also when the clock is set back. */
  readonly mostTries: number
}

/** Until an attempt's lease ends: pauses double from 50 ms to a second. */
export const untilLeaseEnds = (untilMillis: number): Patience => ({ untilMillis, longestPauseMillis: 1_000, mostTries: 100 })

/** Retries with growing pauses until it is done or the patience is used up. Answers the last try. */
export const untilStored = Effect.fnUntraced(function*<A, R>(
  attempt: Effect.Effect<A, never, R>,
  isDone: (outcome: A) => boolean,
  patience: Patience
) {
  let pause = 50
  for (let tries = 1;; tries++) {
    const outcome = yield* attempt
    const now = yield* Clock.currentTimeMillis
    if (isDone(outcome) || now + pause >= patience.untilMillis || tries === patience.mostTries) return outcome
    yield* Effect.sleep(pause)
    pause = Math.min(pause * 2, patience.longestPauseMillis)
  }
})
