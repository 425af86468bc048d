/** Why an element is not tried at the moment. */
export type OpenReason = "unreachable" | "refused"

/** Failures in a row that open the circuit. A single lost connection proves nothing; a refused element is certain at once. */
const failuresToOpen = { unreachable: 5, refused: 1 } as const
const firstPauseMillis = { unreachable: 1_000, refused: 5_000 } as const
const longestPauseMillis = { unreachable: 15_000, refused: 300_000 } as const

/**
 * Keeps an element that cannot be used from being tried by every request. Only "unavailable before anything was sent" opens it
 * (Decisions §4): an unknown outcome says nothing about the next one.
 *
 * It closes by itself: when a pause is over one request goes through as a probe, and the next only a pause later unless that one
 * succeeded. A probe that never reports back therefore blocks nothing for longer than a pause.
 */
export class CircuitBreaker {
  #failures = 0
  #reason: OpenReason | null = null
  #pauseMillis = 0
  #nextProbeAt = 0
  readonly #now: () => number

  /** `now` in milliseconds of a clock that is never set back. */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Null when a request may go, otherwise why not. Takes the probe when one is due. */
  refusal(): OpenReason | null {
    if (this.#reason === null) return null
    const now = this.#now()
    if (now < this.#nextProbeAt) return this.#reason
    this.#nextProbeAt = now + this.#pauseMillis
    return null
  }

  /** The far end answered, whatever it said, and did not refuse the element. */
  reached(): void {
    this.#failures = 0
    this.#reason = null
    this.#pauseMillis = 0
  }

  unreachable(): void {
    this.#fail("unreachable")
  }

  /** The far end itself refused the element. */
  refused(): void {
    this.#fail("refused")
  }

  #fail(reason: OpenReason): void {
    this.#failures += 1
    if (this.#failures < failuresToOpen[reason]) return
    const doubled = this.#reason === reason ? this.#pauseMillis * 2 : firstPauseMillis[reason]
    this.#pauseMillis = Math.min(doubled, longestPauseMillis[reason])
    this.#reason = reason
    this.#nextProbeAt = this.#now() + this.#pauseMillis
  }
}
