import { DateTime } from "effect"

/** UTC with milliseconds and `Z` (Decisions §1). */
export const utcTime = (instant: DateTime.Utc): string => DateTime.formatIso(instant)
