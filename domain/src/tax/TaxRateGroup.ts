import { Schema } from "effect"

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
