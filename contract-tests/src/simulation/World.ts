import { Clock, Duration, Effect, Fiber, Logger, type Scheduler } from "effect"
import type { Random } from "./Random.ts"

interface Timer {
  readonly at: number
  readonly order: number
  readonly wake: () => void
}

/**
 * Time and scheduling of a simulated world, in one thread and without real waiting: runnable fibers run in an order that the seed decides, and when
 * none can run, time jumps to the next timer. The same seed gives the same interleaving.
 */
export class World {
  /** The true time, epoch milliseconds; every host's clock is this plus its own error. */
  now: number
  readonly random: Random
  /** The events, for people who investigate a failing seed. */
  readonly log: Array<string> = []
  /** How often each failure occurred, by its name. */
  readonly faults: Record<string, number> = {}
  #tasks: Array<() => void> = []
  #timers: Array<Timer> = []
  #order = 0

  constructor(random: Random, startsAt: number) {
    this.random = random
    this.now = startsAt
  }

  readonly scheduler: Scheduler.Scheduler = {
    executionMode: "async",
    shouldYield: () => false,
    makeDispatcher: () => ({
      scheduleTask: (task) => {
        this.#tasks.push(task)
      },
      flush: () => {
        this.#runTasks()
      }
    })
  }

  /** Records a failure. Counting draws nothing from the seed. */
  strike(fault: string): void {
    this.faults[fault] = (this.faults[fault] ?? 0) + 1
  }

  say(line: string): void {
    this.log.push(`${new Date(this.now).toISOString()} ${line}`)
  }

  /** A host's clock, wrong by `error` milliseconds. `frozen` plants a host that cannot tell how much time has passed. */
  clock(error: number, frozen = false): Clock.Clock {
    const millis = () => this.now + error
    const monotonic = () => frozen ? 0n : BigInt(this.now) * 1_000_000n
    return {
      currentTimeMillisUnsafe: millis,
      currentTimeMillis: Effect.sync(millis),
      currentTimeNanosUnsafe: () => BigInt(millis()) * 1_000_000n,
      currentTimeNanos: Effect.sync(() => BigInt(millis()) * 1_000_000n),
      monotonicTimeNanosUnsafe: monotonic,
      monotonicTimeNanos: Effect.sync(monotonic),
      sleep: (duration) => this.sleep(Duration.toMillis(duration))
    }
  }

  /** Runs an effect on the true clock, as the database and the V-PFR do. */
  onClock<A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> {
    return Effect.provideService(effect, Clock.Clock, this.clock(0))
  }

  sleep(millis: number): Effect.Effect<void> {
    return Effect.callback<void>((resume) => {
      const timer: Timer = { at: this.now + Math.max(0, millis), order: this.#order++, wake: () => resume(Effect.void) }
      this.#insert(timer)
      return Effect.sync(() => {
        this.#timers = this.#timers.filter((other) => other !== timer)
      })
    })
  }

  fork<A, E>(effect: Effect.Effect<A, E>, clock: Clock.Clock): Fiber.Fiber<A, E> {
    const silent = Effect.provideService(effect, Logger.CurrentLoggers, new Set<Logger.Logger<unknown, unknown>>())
    return Effect.runFork(Effect.provideService(silent, Clock.Clock, clock), { scheduler: this.scheduler })
  }

  /** Runs until `until` (true time), or until no event is left. */
  runUntil(until: number): void {
    while (true) {
      this.#runTasks()
      const next = this.#timers[0]
      if (next === undefined || next.at > until) break
      this.#timers.shift()
      this.now = Math.max(this.now, next.at)
      next.wake()
    }
    this.now = Math.max(this.now, until)
  }

  #runTasks(): void {
    while (this.#tasks.length > 0) {
      const index = this.#tasks.length === 1 ? 0 : this.random.between(0, this.#tasks.length - 1)
      const [task] = this.#tasks.splice(index, 1)
      task?.()
    }
  }

  #insert(timer: Timer): void {
    let low = 0
    let high = this.#timers.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const other = this.#timers[middle]
      if (other !== undefined && (other.at < timer.at || (other.at === timer.at && other.order < timer.order))) low = middle + 1
      else high = middle
    }
    this.#timers.splice(low, 0, timer)
  }
}
