import { BoundedCache } from "./BoundedCache.ts"

/** Wrong secrets that are told so before the pauses begin. */
const freeFailures = 5
const longestPauseMillis = 60_000
/** A quiet quarter of an hour forgives. */
const forgetAfterMillis = 15 * 60_000

interface Guesses {
  /** Wrong ones, and those whose answer is still open. */
  readonly count: number
  readonly lastAt: number
}

/** What one guess is told should it prove wrong; opened before the secret is looked at, so that guesses at once count each other. */
export interface Guess {
  /** Milliseconds to wait; 0 when it may be told that it was wrong. */
  readonly pauseMillis: number
  /** The secret was right: everything before it is forgiven. */
  readonly right: () => void
  /** Nothing was learnt, because the store did not answer. */
  readonly void: () => void
}

/**
 * Slows the guessing of secrets: for a key (client id and address) five wrong ones are told so; every further one is told to wait,
 * from one second, doubling to one minute, and learns nothing. The rightful secret is let through at any time, so nobody can lock a
 * shop out of its own credential, not even from behind the same proxy.
 */
export class GuessingBrake {
  private readonly guesses = new BoundedCache<string, Guesses>(10_000)

  guess(key: string, now: number): Guess {
    const known = this.guesses.get(key)
    const before = known === undefined || now - known.lastAt > forgetAfterMillis ? 0 : known.count
    this.guesses.set(key, { count: before + 1, lastAt: now })
    return {
      pauseMillis: before < freeFailures ? 0 : Math.min(1_000 * 2 ** Math.min(before - freeFailures, 10), longestPauseMillis),
      right: () => this.guesses.delete(key),
      void: () => {
        const current = this.guesses.get(key)
        if (current !== undefined) this.guesses.set(key, { ...current, count: Math.max(0, current.count - 1) })
      }
    }
  }
}
