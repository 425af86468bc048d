import type { Clock } from "effect"

/** Beyond this the clocks are not believed to be in step: a signing time five minutes before the submission would make every answer another's (Decisions §4). */
const mostMillisAhead = 240_000

/** A measurement this young is not repeated. */
const measuredForMillis = 1_000

/**
 * What the V-PFR said its time was, against this host's clock. Both sides of "sdcTime more than five minutes before our submission"
 * (Decisions §4) must be of clocks that agree; where they do not, nothing may be sent.
 */
export class FarClock {
  #heard: { readonly farMillis: number; readonly monotonicMillis: number } | null = null
  readonly #clock: Clock.Clock

  constructor(clock: Clock.Clock) {
    this.#clock = clock
  }

  /** The V-PFR's time, milliseconds since 1970, in an answer that has just arrived. */
  heard(farMillis: number): void {
    this.#heard = { farMillis, monotonicMillis: this.#monotonicMillis() }
  }

  /** How far this host's clock is ahead, in milliseconds; 0 while the V-PFR's time is not known. */
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
