import { formatDecimal } from "@overa/domain"
import { BigDecimal, DateTime, Option, Redacted } from "effect"

/**
 * A domain value as plain data for a readable comparison: decimals by value, instants in ISO form, options as value or null. Secrets
 * are opened: only for tests.
 */
export const plain = (value: unknown): unknown => {
  if (BigDecimal.isBigDecimal(value)) return `decimal ${formatDecimal(value)}`
  if (DateTime.isDateTime(value)) return DateTime.formatIso(value)
  if (Redacted.isRedacted(value)) return Redacted.value(value)
  if (Option.isOption(value)) return Option.match(value, { onNone: () => null, onSome: plain })
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, plain(member)]))
  }
  return value
}
