const minute = 60_000
const hour = 60 * minute

/** How attempts under one kind of key are slowed down. */
export interface SignInThrottle {
  /** Failed attempts without a pause after them. */
  readonly free: number
  readonly firstPauseMillis: number
  /** The pause doubles with every failure up to this one. */
  readonly longestPauseMillis: number
  /** After so long without a failed attempt the count starts again at 0. */
  readonly forgottenAfterMillis: number
}

/**
 * The throttles on guessing.
 *
 * - `origin`: a known device, or an account seen from one network. Failures elsewhere never delay the rightful person (Decisions §13).
 * - `account`: codes of one account from every network together; devices that have signed in before are excepted. An attacker who knows the password and has
 *   very many networks is judged fifteen codes in the first hour and one an hour after it.
 * - `mail`: messages that somebody asks for to one mailbox, so that nobody fills it.
 * - `signIn`: codes of one half-finished sign-in, which then ends: the pause is as long as it may last.
 */
export const signInThrottles = {
  origin: { free: 5, firstPauseMillis: 1_000, longestPauseMillis: 15 * minute, forgottenAfterMillis: hour },
  account: { free: 10, firstPauseMillis: minute, longestPauseMillis: hour, forgottenAfterMillis: 24 * hour },
  mail: { free: 3, firstPauseMillis: 10 * minute, longestPauseMillis: 12 * hour, forgottenAfterMillis: 24 * hour },
  signIn: { free: 5, firstPauseMillis: 10 * minute, longestPauseMillis: 10 * minute, forgottenAfterMillis: hour }
} as const satisfies Readonly<Record<string, SignInThrottle>>

/** Attempts that are counted together. */
export interface GuessKey {
  readonly key: string
  readonly throttle: keyof typeof signInThrottles
}

/** The earlier failed attempts under one key. */
export interface WrongGuesses {
  readonly count: number
  readonly lastAtMillis: number
}

/** The failed attempts that still count. */
export const remembered = (known: WrongGuesses, nowMillis: number, throttle: SignInThrottle): number =>
  nowMillis - known.lastAtMillis > throttle.forgottenAfterMillis ? 0 : known.count

/** Milliseconds during which the next attempt is refused without a check: none after the first failures, then the first pause, doubled with every failure. */
export const guessingPause = (known: WrongGuesses, nowMillis: number, throttle: SignInThrottle = signInThrottles.origin): number => {
  const count = remembered(known, nowMillis, throttle)
  if (count < throttle.free) return 0
  const pause = Math.min(throttle.firstPauseMillis * 2 ** (count - throttle.free), throttle.longestPauseMillis)
  return Math.max(0, known.lastAtMillis + pause - nowMillis)
}
