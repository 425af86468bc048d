/** Wrong secrets that cost nothing. */
const freeFailures = 5
const longestPauseMillis = 15 * 60_000
/** After a quiet hour the count begins anew. */
export const guessesForgottenAfterMillis = 60 * 60_000

/** What is known of earlier wrong secrets under one key. */
export interface WrongGuesses {
  readonly count: number
  readonly lastAtMillis: number
}

/**
 * Milliseconds during which the next try is refused unheard: none for the first five, then one second, doubled with every failure up
 * to a quarter of an hour. The key is a known device, or an account seen from one address: failures elsewhere never hold up the
 * rightful person (Decisions §13).
 */
export const guessingPause = (known: WrongGuesses, nowMillis: number): number => {
  if (known.count < freeFailures) return 0
  const pause = Math.min(1_000 * 2 ** (known.count - freeFailures), longestPauseMillis)
  return Math.max(0, known.lastAtMillis + pause - nowMillis)
}
