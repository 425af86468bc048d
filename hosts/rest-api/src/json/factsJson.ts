import { BigDecimal, DateTime } from "effect"
import { jsonNumber } from "@overa/host-kit"

/** The facts of a refusal as JSON: decimals exact, instants in UTC; everything else unchanged. */
export const factsJson = (value: unknown): unknown => {
  if (BigDecimal.isBigDecimal(value)) return jsonNumber(value)
  if (DateTime.isDateTime(value)) return DateTime.formatIso(DateTime.toUtc(value))
  if (Array.isArray(value)) return value.map(factsJson)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, factsJson(member)]))
}
