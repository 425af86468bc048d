/** Orders that are sent at once, and orders that are noted at once. One that the service does not answer is under way for half a minute. */
const sentAtOnce = 8
const notedAtOnce = 2
const firstPause = 5_000
const longestPause = 300_000

export interface OrderActs {
  /** Writes at the order that it waits to be sent, without sending anything. */
  readonly note: (id: string) => Promise<void>
  /** Sends what is due. False: the order is to be looked at again. */
  readonly look: (id: string) => Promise<boolean>
  readonly warn: (words: string) => void
}

interface LaneOptions {
  readonly atOnce: number
  readonly act: (id: string) => Promise<void>
  /** Whether another lane has it: each order is acted on by one at a time. */
  readonly isElsewhere?: (id: string) => boolean
  readonly onDone?: (id: string) => void
}

/** Some ids at a time, each once at a time. */
class Lane {
  readonly #options: LaneOptions
  readonly #waiting = new Set<string>()
  readonly #busy = new Set<string>()

  constructor(options: LaneOptions) {
    this.#options = options
  }

  get isFull(): boolean {
    return this.#busy.size >= this.#options.atOnce
  }

  isBusy(id: string): boolean {
    return this.#busy.has(id)
  }

  has(id: string): boolean {
    return this.#waiting.has(id) || this.#busy.has(id)
  }

  /** Acts on it once more, also where it is busy. */
  add(id: string): void {
    this.#waiting.add(id)
    this.work()
  }

  /** Begins with what may begin. */
  work(): void {
    for (const id of this.#waiting) {
      if (this.isFull) return
      if (this.#busy.has(id) || this.#options.isElsewhere?.(id) === true) continue
      this.#waiting.delete(id)
      this.#busy.add(id)
      void this.#options.act(id).finally(() => {
        this.#busy.delete(id)
        this.#options.onDone?.(id)
        this.work()
      })
    }
  }
}

/**
 * Looks at orders: few at once, each by one at a time, and again after growing pauses while something is not answered. An order that has to wait for
 * others is told so at once: while the V-PFR is away each of them waits for its time-out, and no order may be silent that long.
 */
export class OrderQueue {
  readonly #acts: OrderActs
  readonly #noted: Lane = new Lane({ atOnce: notedAtOnce, act: (id) => this.#note(id), isElsewhere: (id) => this.#sent.isBusy(id), onDone: (id) => this.#sent.add(id) })
  readonly #sent: Lane = new Lane({ atOnce: sentAtOnce, act: (id) => this.#send(id), isElsewhere: (id) => this.#noted.has(id), onDone: () => this.#noted.work() })
  readonly #pauses = new Map<string, number>()
  readonly #timers = new Set<NodeJS.Timeout>()

  constructor(acts: OrderActs) {
    this.#acts = acts
  }

  /**
   * Looks at an order soon. Where others are sent first, it is noted each time: what it could not say when it was placed, it says when it is paid. One that
   * is being looked at is noted afterwards, because others may be before it by then.
   */
  add(id: string): void {
    this.later(() => (this.#sent.isFull || this.#sent.isBusy(id) ? this.#noted : this.#sent).add(id), 50)
  }

  /** Adds what a sweep has found: what was tried in vain has a time of its own, and what waits needs no second place. */
  addFound(ids: ReadonlyArray<string>): void {
    for (const id of ids) if (!this.#pauses.has(id) && !this.#sent.has(id) && !this.#noted.has(id)) this.add(id)
  }

  /** Forgets what waits for its time; what is on its way ends by itself. */
  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer)
  }

  later(act: () => unknown, millis: number): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      act()
    }, millis)
    this.#timers.add(timer)
  }

  #warn(id: string, error: unknown): void {
    this.#acts.warn(`order ${id}: ${error instanceof Error ? error.stack ?? error.message : String(error)}`)
  }

  #note(id: string): Promise<void> {
    return this.#acts.note(id).catch((error: unknown) => this.#warn(id, error))
  }

  async #send(id: string): Promise<void> {
    const isDone = await this.#acts.look(id).catch((error: unknown) => {
      this.#warn(id, error)
      return false
    })
    if (isDone) return void this.#pauses.delete(id)
    const pause = this.#pauses.get(id) ?? firstPause
    this.#pauses.set(id, Math.min(2 * pause, longestPause))
    this.later(() => this.#sent.add(id), pause)
  }
}
