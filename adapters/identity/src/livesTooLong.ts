import type { JWTPayload } from "jose"

/** By so many seconds the clocks of an issuer and of our hosts may differ. */
const clockSeconds = 30

/**
 * Whether a token would be accepted for longer than a token may live: between its issue and its end, or from `now` on. A token with a time of
 * issue in the future has a short life on paper and would be accepted until then.
 */
export const livesTooLong = ({ exp = 0, iat }: JWTPayload, now: Date, longestSeconds: number): boolean =>
  iat === undefined || exp - iat > longestSeconds || exp - now.getTime() / 1_000 > longestSeconds + clockSeconds
