/** Failed attempts without a pause after them. */
const freeFailures = 5
const longestPauseMillis = 15 * 60_000
/** After an hour without a failed attempt the count starts again at 0. */
export const guessesForgottenAfterMillis = 60 * 60_000

/** The earlier failed attempts under one key. */
export interface WrongGuesses {
  readonly count: number
  readonly lastAtMillis: number
}

/**
 * Milliseconds during which the next attempt is refused without a check: none after the first five failures, then one second, doubled with every
 * failure up to a quarter of an hour. The key is a known device, or an account seen from one address, so failures elsewhere never delay the rightful
 * person (Decisions §13).
 */
export const guessingPause = (known: WrongGuesses, nowMillis: number): number => {
  if (known.count < freeFailures) return 0
  const pause = Math.min(1_000 * 2 ** (known.count - freeFailures), longestPauseMillis)
  return Math.max(0, known.lastAtMillis + pause - nowMillis)
}
