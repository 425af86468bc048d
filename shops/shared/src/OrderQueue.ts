/** Orders that are looked at at once. */
const atOnce = 4
const firstPause = 5_000
const longestPause = 300_000

/** Looks at orders: few at once, each by one at a time, and again after growing pauses while something is not answered. */
export class OrderQueue {
  readonly #look: (id: string) => Promise<boolean>
  readonly #warn: (words: string) => void
  readonly #waiting = new Set<string>()
  readonly #busy = new Set<string>()
  readonly #pauses = new Map<string, number>()
  readonly #timers = new Set<NodeJS.Timeout>()

  /** `look` answers false where the order is to be looked at again. */
  constructor(look: (id: string) => Promise<boolean>, warn: (words: string) => void) {
    this.#look = look
    this.#warn = warn
  }

  /** Looks at an order soon. */
  add(id: string): void {
    this.#waiting.add(id)
    this.later(() => this.#work(), 50)
  }

  /** Adds what a sweep has found: what was tried in vain has a time of its own. */
  addFound(ids: ReadonlyArray<string>): void {
    for (const id of ids) if (!this.#pauses.has(id)) this.add(id)
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

  #work(): void {
    for (const id of this.#waiting) {
      if (this.#busy.size >= atOnce) return
      if (this.#busy.has(id)) continue
      this.#waiting.delete(id)
      this.#busy.add(id)
      void this.#lookAt(id).finally(() => {
        this.#busy.delete(id)
        this.#work()
      })
    }
  }

  async #lookAt(id: string): Promise<void> {
    const isDone = await this.#look(id).catch((error: unknown) => {
      this.#warn(`order ${id}: ${error instanceof Error ? error.stack ?? error.message : String(error)}`)
      return false
    })
    if (isDone) return void this.#pauses.delete(id)
    const pause = this.#pauses.get(id) ?? firstPause
    this.#pauses.set(id, Math.min(2 * pause, longestPause))
    this.later(() => this.add(id), pause)
  }
}
