import { traced } from "@overa/host-kit"
import { Cause, Effect } from "effect"
import { recorded } from "./JobRecord.ts"

/** A job of the worker: one bounded pass. Returns true if more work is waiting, or the milliseconds to rest. */
export interface Job<E, R> {
  readonly name: string
  readonly pass: Effect.Effect<boolean | number, E, R>
  /** Between passes that found nothing more to do. */
  readonly pauseMillis: number
  /** Between passes while more is waiting: bounds the rate at which the job asks the V-PFR and the store. */
  readonly busyPauseMillis: number
  /** Ends when there is something to do again: the job does not rest any longer, but at least `busyPauseMillis`. */
  readonly woken?: Effect.Effect<void>
}

const longestPauseMillis = 30_000

/** After consecutive failures the pauses of the job grow, so that a store or V-PFR that is down does not get many requests. */
export const pauseAfterFailures = (pauseMillis: number, failures: number): number =>
  Math.min(pauseMillis * 2 ** Math.min(failures, 10), longestPauseMillis)

const restAfter = ({ busyPauseMillis, pauseMillis }: Job<unknown, unknown>, result: boolean | number): number => {
  if (typeof result === "number") return result
  return result ? busyPauseMillis : pauseMillis
}

const rest = (job: Job<unknown, unknown>, millis: number): Effect.Effect<void> =>
  job.woken === undefined || millis <= job.busyPauseMillis
    ? Effect.sleep(millis)
    : Effect.andThen(Effect.sleep(job.busyPauseMillis), Effect.raceFirst(Effect.sleep(millis - job.busyPauseMillis), job.woken))

const reported = (name: string, cause: Cause.Cause<unknown>, failures: number) =>
  Effect.as(Effect.logError(`worker: ${name} failed`, cause).pipe(Effect.annotateLogs({ failures })), "failed" as const)

/**
 * Runs a job until it is interrupted. No failure ends it, defects included, because the worker's job must continue. A pass in progress is finished
 * before the interruption takes effect, so that no claim is left behind; passes are bounded.
 */
export const keepDoing = <E, R>(job: Job<E, R>): Effect.Effect<never, never, R> =>
  Effect.gen(function*() {
    let failures = 0
    while (true) {
      const pass = traced(job.pass, { name: `worker ${job.name}`, kind: "internal" }).pipe(
        Effect.uninterruptible,
        Effect.catchCause((cause) => reported(job.name, cause, failures + 1))
      )
      const result = yield* recorded(job.name, pass, (it) => it === "failed")
      failures = result === "failed" ? failures + 1 : 0
      yield* (result === "failed" ? Effect.sleep(pauseAfterFailures(job.pauseMillis, failures)) : rest(job, restAfter(job, result)))
    }
  })
