import { DateTime } from "effect"
import type { TaxRateGroup } from "./TaxRateGroup.ts"

/**
 * The group of rates valid at an instant: the one with the greatest validFrom not after it; null before the first. A change that the tax authority
 * announced therefore takes effect on time without a new fetch (Decisions §2).
 */
export const groupAt = (groups: ReadonlyArray<TaxRateGroup>, instant: DateTime.Utc): TaxRateGroup | null =>
  groups.reduce<TaxRateGroup | null>((current, group) => {
    if (DateTime.isGreaterThan(group.validFrom, instant)) return current
    return current === null || isLater(group, current) ? group : current
  }, null)

/** Of two groups with the same beginning, the one with the higher number of the tax authority. */
const isLater = (group: TaxRateGroup, other: TaxRateGroup): boolean =>
  DateTime.isGreaterThan(group.validFrom, other.validFrom) ||
  // Stryker disable next-line EqualityOperator: no two groups have the same number.
  (DateTime.Equivalence(group.validFrom, other.validFrom) && group.groupId > other.groupId)
