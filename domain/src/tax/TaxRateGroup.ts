import { DateTime, Schema } from "effect"

/** How a category's rate is applied: 0 on the net, 1 on the total, 2 an amount per unit of quantity (V-PFR §6.1). */
export const CategoryType = Schema.Literals([0, 1, 2])
export type CategoryType = typeof CategoryType.Type

export const TaxRate = Schema.Struct({
  label: Schema.String,
  category: Schema.String,
  categoryType: CategoryType,
  /** Percent, or dinars per unit for category type 2. */
  rate: Schema.BigDecimal
})
export interface TaxRate extends Schema.Schema.Type<typeof TaxRate> {}

/** One published set of rates, valid from an instant until the next one's (V-PFR §5). */
export const TaxRateGroup = Schema.Struct({
  groupId: Schema.Int,
  validFrom: Schema.DateTimeUtc,
  rates: Schema.Array(TaxRate)
})
export interface TaxRateGroup extends Schema.Schema.Type<typeof TaxRateGroup> {}

/** Every group the V-PFR published for an element, and when it was asked. */
export interface TaxRateHistory {
  readonly groups: ReadonlyArray<TaxRateGroup>
  readonly fetchedAt: import("effect").DateTime.Utc
}

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
