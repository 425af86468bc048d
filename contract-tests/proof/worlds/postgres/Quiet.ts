/** A worker's passes are at least so far apart, whatever was written. */
const apartMillis = 180_000

/** After a pass that found nothing, the next one without a write comes after ten minutes, and then ever later. */
const soonestMillis = 600_000

/**
 * Workers look for work every few seconds, nearly always in vain. A pass that found nothing is not repeated before something is written, or before enough
 * time has gone by: a world would take five times as long, and the skipped passes read what the one before has read.
 */
export class Quiet {
  #version = -1
  #since = 0
  #until = 0
  #lastPass = -Infinity

  /** Whether it is time for a pass, and one may find something. */
  isPassDue(version: number, now: number): boolean {
    if (now < this.#lastPass + apartMillis || (version === this.#version && now < this.#until)) return false
    this.#lastPass = now
    return true
  }

  /** A pass found nothing: while nothing is written, passes become rarer. */
  foundNothing(version: number, now: number): void {
    if (version !== this.#version) this.#since = now
    this.#version = version
    this.#until = now + Math.max(soonestMillis, now - this.#since)
  }
}
