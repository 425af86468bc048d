import { BoundedCache } from "./BoundedCache.ts"

/** Wrong secrets answered at full speed before the pauses begin. */
const freeFailures = 5
const longestPauseMillis = 60_000
/** A quiet quarter of an hour forgives. */
const forgetAfterMillis = 15 * 60_000

interface Failures {
  readonly count: number
  readonly lastAt: number
}

/**
 * Slows the guessing of secrets: after five wrong ones for a key (client id and address), each further failure doubles the pause
 * during which that key is refused unheard, from one second to one minute. Other addresses are not held up, so nobody can lock a
 * shop out of its own credential.
 */
export class GuessingBrake {
  private readonly failures = new BoundedCache<string, Failures>(10_000)

  /** Milliseconds still to wait; 0 when the key may try. */
  pauseMillis(key: string, now: number): number {
    const known = this.failures.get(key)
    if (known === undefined || known.count < freeFailures) return 0
    const pause = Math.min(1_000 * 2 ** (known.count - freeFailures), longestPauseMillis)
    return Math.max(0, known.lastAt + pause - now)
  }

  failed(key: string, now: number): void {
    const known = this.failures.get(key)
    const count = known === undefined || now - known.lastAt > forgetAfterMillis ? 1 : known.count + 1
    this.failures.set(key, { count, lastAt: now })
  }

  succeeded(key: string): void {
    this.failures.delete(key)
  }
}
