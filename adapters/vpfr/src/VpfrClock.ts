import type { Clock } from "effect"

/**
 * Above this difference the clocks count as wrong: a signing time five minutes before the submission would make every answer seem another request's
 * (Decisions §4).
 */
const mostMillisAhead = 240_000

/** A measurement younger than this is not repeated. */
const measuredForMillis = 1_000

/**
 * The V-PFR's time compared with this host's clock. The rule "sdcTime more than five minutes before our submission" (Decisions §4) compares the two
 * clocks, so where they differ too much nothing may be sent.
 */
export class VpfrClock {
  #heard: { readonly farMillis: number; readonly monotonicMillis: number } | null = null
  readonly #clock: Clock.Clock

  constructor(clock: Clock.Clock) {
    this.#clock = clock
  }

  /** The V-PFR's time, milliseconds since 1970, in an answer that has just arrived. */
  heard(farMillis: number): void {
    this.#heard = { farMillis, monotonicMillis: this.#monotonicMillis() }
  }

  /** How far this host's clock is ahead, in milliseconds; 0 while the V-PFR's time is unknown. */
  get aheadMillis(): number {
    if (this.#heard === null) return 0
    const farNow = this.#heard.farMillis + this.#monotonicMillis() - this.#heard.monotonicMillis
    return this.#clock.currentTimeMillisUnsafe() - farNow
  }

  get isInStep(): boolean {
    return this.aheadMillis <= mostMillisAhead
  }

  get isJustMeasured(): boolean {
    return this.#heard !== null && this.#monotonicMillis() - this.#heard.monotonicMillis < measuredForMillis
  }

  #monotonicMillis(): number {
    return Number(this.#clock.monotonicTimeNanosUnsafe() / 1_000_000n)
  }
}
