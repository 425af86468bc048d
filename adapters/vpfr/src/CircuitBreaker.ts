/** Why an element is not used at the moment. */
export type OpenReason = "unreachable" | "refused"

/** Consecutive failures that open the circuit. A single lost connection proves nothing; a refused element is certain at once. */
const failuresToOpen = 5
const firstPauseMillis = { unreachable: 1_000, refused: 5_000 } as const
const longestPauseMillis = { unreachable: 15_000, refused: 300_000 } as const

/** How many different findings of one refusal are reported; a server that varies its text endlessly adds no more. */
const mostFindings = 8

/**
 * Keeps requests from trying an element that cannot be used. Only "unavailable before anything was sent" opens the circuit (Decisions §4): an unknown
 * outcome says nothing about the next one.
 *
 * After a pause the next submission goes through as a probe, whatever kind of request caused it. Only a submission takes the probe: calling `refusal`
 * changes nothing. A probe that never reports back blocks nothing for longer than a pause.
 */
export class CircuitBreaker {
  #unreachableInARow = 0
  #reason: OpenReason | null = null
  #pauseMillis = 0
  #nextProbeAt = 0
  #isProbing = false
  readonly #findings = new Set<string>()
  readonly #now: () => number

  /** `now` in milliseconds of a clock that is never set back. */
  constructor(now: () => number) {
    this.#now = now
  }

  /** Null when a submission may be sent now, otherwise the reason. Changes nothing. */
  refusal(): OpenReason | null {
    return this.#reason !== null && this.#now() < this.#nextProbeAt ? this.#reason : null
  }

  /** The same for a submission about to be sent: takes the probe when one is due. */
  admit(): OpenReason | null {
    const refusal = this.refusal()
    if (this.#reason !== null && refusal === null) {
      this.#isProbing = true
      this.#nextProbeAt = this.#now() + this.#pauseMillis
    }
    return refusal
  }

  /** A submission ended without a result about the element: a probe is due again. */
  inconclusive(): void {
    if (!this.#isProbing) return
    this.#isProbing = false
    this.#nextProbeAt = this.#now()
  }

  /** The V-PFR can be reached. Says nothing about whether it accepts the element. */
  reached(): void {
    this.#unreachableInARow = 0
    if (this.#reason === "unreachable") this.#close()
  }

  /** The V-PFR processed a submission under this element. */
  accepted(): void {
    this.#unreachableInARow = 0
    this.#close()
    this.#findings.clear()
  }

  unreachable(): void {
    this.#unreachableInARow += 1
    if (this.#unreachableInARow >= failuresToOpen) this.#open("unreachable")
  }

  /** The V-PFR itself refused the element; true when this finding is new since it last accepted the element. */
  refused(finding: string): boolean {
    this.#unreachableInARow = 0
    this.#open("refused")
    const isNew = !this.#findings.has(finding) && this.#findings.size < mostFindings
    if (isNew) this.#findings.add(finding)
    return isNew
  }

  #open(reason: OpenReason): void {
    // Only a probe lengthens the pause: requests that were in flight when the circuit opened all fail for the same reason.
    if (this.#reason === reason && !this.#isProbing) return
    const doubled = this.#reason === reason ? this.#pauseMillis * 2 : firstPauseMillis[reason]
    this.#pauseMillis = Math.min(doubled, longestPauseMillis[reason])
    this.#reason = reason
    this.#isProbing = false
    this.#nextProbeAt = this.#now() + this.#pauseMillis
  }

  #close(): void {
    this.#reason = null
    this.#pauseMillis = 0
    this.#isProbing = false
  }
}
