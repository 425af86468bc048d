import { formatDecimal } from "@overa/domain"
import { type BigDecimal, DateTime } from "effect"

// ES2025's `JSON.rawJSON`: a literal that JSON.stringify copies unchanged. Not yet in TypeScript's libraries.
const json = JSON as unknown as { readonly rawJSON: (text: string) => unknown }

/** A decimal as a JSON number with its exact digits, never through a float (Decisions §1); with at least `decimals` digits after the point. */
export const jsonNumber = (value: BigDecimal.BigDecimal, decimals = 0): unknown => json.rawJSON(formatDecimal(value, decimals))

/** UTC with milliseconds and `Z` (Decisions §1). */
export const utcTime = (instant: DateTime.Utc): string => DateTime.formatIso(instant)
