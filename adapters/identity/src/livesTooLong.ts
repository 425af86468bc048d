import type { JWTPayload } from "jose"

/** The permitted difference between the clocks of an issuer and of our hosts, in seconds. */
const clockSeconds = 30

/**
 * Whether a token would be accepted for longer than a token may live: from its issue to its end, or from `now` on. A token with a time of issue in
 * the future seems short-lived, but would be accepted until its end.
 */
export const livesTooLong = ({ exp = 0, iat }: JWTPayload, now: Date, longestSeconds: number): boolean =>
  iat === undefined || exp - iat > longestSeconds || exp - now.getTime() / 1_000 > longestSeconds + clockSeconds
