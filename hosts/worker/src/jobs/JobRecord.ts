import { metric } from "@overa/host-kit"
import { Clock, Context, Effect } from "effect"

interface Passes {
  done: number
  failed: number
  seconds: number
  /** Milliseconds since 1970 of the end of the last pass that did not fail; the start of the record before the first. */
  lastDoneAt: number
}

/** A job whose last good pass is older than this is not running; the longest pause of a job is an hour. */
const stuckAfterMillis = 2 * 3_600_000

/** The passes of this worker's jobs since it started. */
export class JobRecord {
  readonly #jobs = new Map<string, Passes>()

  #of(name: string, nowMillis: number): Passes {
    const known = this.#jobs.get(name)
    if (known !== undefined) return known
    const made: Passes = { done: 0, failed: 0, seconds: 0, lastDoneAt: nowMillis }
    this.#jobs.set(name, made)
    return made
  }

  note(name: string, failed: boolean, seconds: number, nowMillis: number): void {
    const job = this.#of(name, nowMillis)
    job.seconds += seconds
    if (failed) job.failed += 1
    else {
      job.done += 1
      job.lastDoneAt = nowMillis
    }
  }

  /** The jobs that have not finished a pass for too long. */
  stuck(nowMillis: number): ReadonlyArray<string> {
    return [...this.#jobs].filter(([, { lastDoneAt }]) => nowMillis - lastDoneAt > stuckAfterMillis).map(([name]) => `the job ${name} has not finished a pass for two hours`)
  }

  text(): string {
    const jobs = [...this.#jobs]
    return [
      metric("overa_worker_passes_total", "counter", "Passes of the worker's jobs by their result.",
        jobs.flatMap(([job, { done, failed }]) => [[{ job, result: "done" }, done], [{ job, result: "failed" }, failed]] as const)),
      metric("overa_worker_seconds_total", "counter", "Time spent in passes.", jobs.map(([job, { seconds }]) => [{ job }, seconds] as const)),
      metric("overa_worker_last_pass_timestamp_seconds", "gauge", "When the job last finished a pass without a failure.",
        jobs.map(([job, { lastDoneAt }]) => [{ job }, Math.round(lastDoneAt / 1_000)] as const))
    ].join("")
  }
}

/** The record of the process; jobs run outside a worker's process are counted in one that nobody reads. */
export class JobRecords extends Context.Reference<JobRecord>("@overa/worker/jobs/JobRecords", { defaultValue: () => new JobRecord() }) {}

/** The pass, counted with its time. */
export const recorded = <A, E, R>(name: string, pass: Effect.Effect<A, E, R>, hasFailed: (result: A) => boolean): Effect.Effect<A, E, R> =>
  Effect.gen(function*() {
    const record = yield* JobRecords
    const clock = yield* Clock.Clock
    const from = clock.monotonicTimeNanosUnsafe()
    const result = yield* pass
    record.note(name, hasFailed(result), Number(clock.monotonicTimeNanosUnsafe() - from) / 1e9, clock.currentTimeMillisUnsafe())
    return result
  })
