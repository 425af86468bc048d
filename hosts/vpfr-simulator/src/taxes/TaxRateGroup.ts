/** 0 tax-on-net, 1 tax-on-total, 2 amount-per-quantity (V-PFR §6.1). */
export type CategoryType = 0 | 1 | 2

export interface TaxRate {
  readonly label: string
  /** Hundredths: of a percent, or of a dinar per unit for category type 2. */
  readonly rate: number
}

export interface TaxCategory {
  readonly name: string
  readonly categoryType: CategoryType
  readonly orderId: number
  readonly taxRates: ReadonlyArray<TaxRate>
}

/** The rates in force from an instant until the next group begins. */
export interface TaxRateGroup {
  /** UTC, whole seconds, `2021-12-19T23:00:00Z`. */
  readonly validFrom: string
  readonly groupId: number
  readonly taxCategories: ReadonlyArray<TaxCategory>
}

export interface LabelRate extends TaxRate {
  readonly categoryName: string
  readonly categoryType: CategoryType
}

/** The group with the greatest `validFrom` not after the instant; of two that begin together, the newer id. */
export const groupValidAt = (groups: ReadonlyArray<TaxRateGroup>, instant: number): TaxRateGroup | undefined =>
  groups
    .filter((group) => Date.parse(group.validFrom) <= instant)
    .toSorted((a, b) => Date.parse(b.validFrom) - Date.parse(a.validFrom) || b.groupId - a.groupId)[0]

export const ratesByLabel = (group: TaxRateGroup): ReadonlyMap<string, LabelRate> =>
  new Map(
    group.taxCategories.flatMap((category) =>
      category.taxRates.map((rate) => [
        rate.label,
        { ...rate, categoryName: category.name, categoryType: category.categoryType }
      ])
    )
  )
