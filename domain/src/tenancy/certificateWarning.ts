import type { DateTime } from "effect"

/** Days before a certificate's end at which the operator is warned, once each. */
export const certificateWarningDays = [60, 30, 14, 7, 1] as const

const dayMillis = 86_400_000

/** Whole days until an instant; negative when it has passed. */
export const daysUntil = (instant: DateTime.Utc, now: DateTime.Utc): number =>
  Math.floor((instant.epochMilliseconds - now.epochMilliseconds) / dayMillis)

/**
 * The narrowest warning a certificate has reached, or null while it has more than sixty days. 0 means that it has expired.
 *
 * @example certificateWarning(validTo, now) // 14 when between 7 and 14 days are left
 */
export const certificateWarning = (validTo: DateTime.Utc, now: DateTime.Utc): number | null => {
  const left = validTo.epochMilliseconds - now.epochMilliseconds
  if (left <= 0) return 0
  return certificateWarningDays.findLast((days) => left <= days * dayMillis) ?? null
}
