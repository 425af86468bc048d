import { Clock, Context, DateTime, Effect } from "effect"

/**
 * How long a submission may take. The lease ends `leaseMarginMillis` after the deadline, so that an attempt which may still be sending is never
 * treated as an orphan (Decisions §4).
 */
export class SubmissionPolicy extends Context.Reference("@overa/domain/use-cases/SubmissionPolicy", {
  defaultValue: () => ({ deadlineMillis: 40_000, leaseMarginMillis: 10_000 })
}) {}

/**
 * How long after an attempt began nothing may be concluded from an empty search for it: until a quarter of an hour after its deadline (Decisions §4).
 * Neither an operator decides earlier, nor is anything sent again.
 */
export const settledAfterMillis = ({ deadlineMillis }: { readonly deadlineMillis: number }): number => deadlineMillis + 15 * 60_000

/** Whether an empty search says that nothing was signed: `since`, the last moment at which an attempt may have begun, is long enough ago. */
export const isSettledSince = Effect.fnUntraced(function*(since: DateTime.Utc) {
  const now = DateTime.toEpochMillis(yield* DateTime.now)
  return now >= DateTime.toEpochMillis(since) + settledAfterMillis(yield* SubmissionPolicy)
})

export const leaseMillis = (policy: { readonly deadlineMillis: number; readonly leaseMarginMillis: number }): number =>
  policy.deadlineMillis + policy.leaseMarginMillis

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

/** How long something is retried, and with which longest pause. */
export interface RetryBudget {
  /** Epoch milliseconds of this host's clock. */
  readonly untilMillis: number
  readonly longestPauseMillis: number
  /** The limit of retries, which holds also when the clock is set back. */
  readonly mostTries: number
}

/** Until an attempt's lease ends: pauses double from 50 ms to a second. */
export const untilLeaseEnds = (untilMillis: number): RetryBudget => ({ untilMillis, longestPauseMillis: 1_000, mostTries: 100 })

/** Retries with growing pauses until it is done or the budget is used up. Answers the last try. */
export const untilStored = Effect.fnUntraced(function*<A, R>(
  attempt: Effect.Effect<A, never, R>,
  isDone: (outcome: A) => boolean,
  budget: RetryBudget
) {
  let pause = 50
  for (let tries = 1;; tries++) {
    const outcome = yield* attempt
    const now = yield* Clock.currentTimeMillis
    if (isDone(outcome) || now + pause >= budget.untilMillis || tries === budget.mostTries) return outcome
    yield* Effect.sleep(pause)
    pause = Math.min(pause * 2, budget.longestPauseMillis)
  }
})
