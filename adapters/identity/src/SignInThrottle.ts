import { LRUCache } from "lru-cache"

/** Wrong secrets that get a plain answer before the pauses begin. */
const freeFailures = 5
const longestPauseMillis = 60_000
/** After a quarter of an hour without a wrong secret the count starts again at 0. */
const forgetAfterMillis = 15 * 60_000

interface Guesses {
  /** Wrong secrets, and those still being checked. */
  readonly count: number
  readonly lastAt: number
}

/** The answer that one guess gets if it proves wrong. Opened before the secret is checked, so that concurrent guesses count each other. */
export interface Guess {
  /** Milliseconds to wait; 0 when the answer may say that the secret was wrong. */
  readonly pauseMillis: number
  /** The secret was right: the count starts again at 0. */
  readonly right: () => void
  /** The guess is not counted, because the store did not answer. */
  readonly void: () => void
}

/**
 * Slows the guessing of secrets. For each key (client id and address) the first five wrong secrets are answered as wrong; every further one is
 * answered with a wait, from one second, doubling to one minute, which does not say whether the secret was wrong. The right secret is accepted at any
 * time, so nobody can lock a shop out of its own credential, not even from behind the same proxy.
 */
export class SignInThrottle {
  private readonly guesses = new LRUCache<string, Guesses>({ max: 10_000 })

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
