import { Clock, Context, Duration, Effect, Fiber, Logger, Scheduler } from "effect"
import type { Random } from "./Random.ts"

interface Timer {
  readonly at: number
  readonly order: number
  readonly wake: () => void
}

/** A turn of the event loop: what is outside the world and has its answer runs on. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** How many turns a fiber of another scheduler takes from the answer to a statement to its next statement, or to its own answer. */
const turnsAfterStatement = 3

const realScheduler = new Scheduler.MixedScheduler()

/** Real milliseconds after which the world no longer waits for what is outside. */
const patienceMillis = 30_000

/**
 * Time and scheduling of a simulated world, in one thread and without real waiting: runnable fibers run in an order that the seed decides, and when
 * none can run, time jumps to the next timer. The same seed gives the same interleaving.
 *
 * What a world asks of a real server is outside of it: one thing after another, in the order in which they were asked, and the world stands still until
 * the answer has come.
 */
export class World {
  /** The true time, epoch milliseconds; every host's clock is this plus its own error. */
  now: number
  readonly random: Random
  /** The events, for people who investigate a failing seed. */
  readonly log: Array<string> = []
  /** How often each failure occurred, by its name. */
  readonly faults: Record<string, number> = {}
  /** What this world has met, by its name: what few worlds have, so that it is seen when none has it. */
  readonly met = new Set<string>()
  #tasks: Array<() => void> = []
  #timers: Array<Timer> = []
  #order = 0
  /** What was asked of a real server and has not begun. */
  #outside: Array<() => Promise<void>> = []
  /** How many fibers wait for something that runs outside of the world's scheduler. */
  #held = 0
  /** What the service logs of defects that it outlives. */
  readonly defects: Array<string> = []
  readonly #loggers = new Set<Logger.Logger<unknown, unknown>>([Logger.make(({ message }) => {
    const [what] = Array.isArray(message) ? message : [message]
    if (String(what).includes("because of a defect")) this.defects.push(JSON.stringify(message))
  })])

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

  meet(what: string): void {
    this.met.add(what)
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
    const silent = Effect.provideService(effect, Logger.CurrentLoggers, this.#loggers)
    return Effect.runFork(Effect.provideService(silent, Clock.Clock, clock), { scheduler: this.scheduler })
  }

  /** Runs something real, a statement of a database for instance, while the world stands still. It must not wait for the world's clock. */
  outside<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.contextWith((context: Context.Context<R>) =>
      Effect.callback<A, E>((resume) => {
        const isOfWorld = Context.get(context, Scheduler.Scheduler) === this.scheduler
        const answer = Effect.provide(Effect.provideService(effect, Scheduler.Scheduler, realScheduler), context)
        const run = async () => {
          resume(await Effect.runPromiseExit(answer))
          for (let turns = isOfWorld ? 0 : turnsAfterStatement; turns > 0; turns--) await turn()
        }
        this.#outside.push(run)
        return Effect.sync(() => {
          this.#outside = this.#outside.filter((other) => other !== run)
        })
      })
    )
  }

  /** Time stands still until the effect has ended, also while it runs on a scheduler that is not the world's. */
  holding<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.suspend(() => {
      this.#held += 1
      return Effect.ensuring(effect, Effect.sync(() => {
        this.#held -= 1
      }))
    })
  }

  /** Runs until `until` (true time), or until no event is left. */
  async runUntil(until: number): Promise<void> {
    while (true) {
      this.#runTasks()
      if (await this.#ranOutside()) continue
      const next = this.#timers[0]
      if (next === undefined || next.at > until) break
      this.#timers.shift()
      this.now = Math.max(this.now, next.at)
      next.wake()
    }
    this.now = Math.max(this.now, until)
  }

  /** Whether something outside had to be waited for. */
  async #ranOutside(): Promise<boolean> {
    const run = this.#outside.shift()
    if (run === undefined && this.#held === 0) return false
    if (run === undefined) await this.#untilAnswered()
    else await run()
    return true
  }

  async #untilAnswered(): Promise<void> {
    const begun = performance.now()
    while (this.#outside.length === 0 && this.#tasks.length === 0) {
      if (performance.now() - begun > patienceMillis) throw new Error("the world waits for something that does not come")
      await turn()
    }
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
