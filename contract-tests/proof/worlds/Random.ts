/** A small seeded generator (mulberry32): the same seed gives the same run on every machine. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** In [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  /** A whole number in [from, to]. */
  between(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1))
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<A>(options: ReadonlyArray<A>): A {
    const picked = options[Math.floor(this.next() * options.length)]
    if (picked === undefined) throw new Error("nothing to pick from")
    return picked
  }

  /** One of the outcomes, by weight. */
  weighted<A>(options: ReadonlyArray<readonly [weight: number, outcome: A]>): A {
    let rest = this.next() * options.reduce((sum, [weight]) => sum + weight, 0)
    for (const [weight, outcome] of options) {
      rest -= weight
      if (rest < 0) return outcome
    }
    return this.pick(options)[1]
  }

  /** A UUID, version 7 in form; its order does not matter here. */
  uuid(): string {
    const hex = (digits: number) => Array.from({ length: digits }, () => this.between(0, 15).toString(16)).join("")
    return `${hex(8)}-${hex(4)}-7${hex(3)}-8${hex(3)}-${hex(12)}`
  }
}
