import { DateTime } from "effect"
import { groupAt, type TaxRateGroup } from "../tax/TaxRateGroup.ts"
import type { ProductContent } from "./Product.ts"

/** How long before a group of rates begins a shop is warned of the labels that end with it. */
export const labelWarningDays = 7

/** A label that products carry and that a group of rates does not have. */
export interface EndingLabel {
  readonly label: string
  /** When the group without it begins; null: it is missing in the group that is valid now. */
  readonly endsAt: DateTime.Utc | null
  /** The products that carry it, in the catalogue's order. */
  readonly skus: ReadonlyArray<string>
}

type Labelled = Pick<ProductContent, "sku" | "taxLabels" | "isActive">

const lacking = (products: ReadonlyArray<Labelled>, group: TaxRateGroup, endsAt: DateTime.Utc | null): ReadonlyArray<EndingLabel> => {
  const known = new Set(group.rates.map(({ label }) => label))
  const skus = new Map<string, Array<string>>()
  for (const product of products) {
    for (const label of product.taxLabels) {
      if (!known.has(label)) skus.set(label, [...skus.get(label) ?? [], product.sku])
    }
  }
  return Array.from(skus, ([label, of]) => ({ label, endsAt, skus: of }))
}

/**
 * The labels of active products that cannot be sold now, or that end within the days of warning: each once, with the first group that lacks it. A group
 * that begins later says nothing yet, and products that are not active are sold by nobody. Source: Decisions §2, fresh tax configuration.
 *
 * @example endingLabels(products, history.groups, now) // [{ label: "Ђ", endsAt: midnight, skus: ["KNJ-1"] }]
 */
export const endingLabels = (
  products: ReadonlyArray<Labelled>,
  groups: ReadonlyArray<TaxRateGroup>,
  now: DateTime.Utc,
  warningDays: number = labelWarningDays
): ReadonlyArray<EndingLabel> => {
  const active = products.filter(({ isActive }) => isActive)
  const current = groupAt(groups, now)
  const horizon = DateTime.add(now, { days: warningDays })
  // Of two groups with one beginning only the one that will be valid counts.
  const next = groups
    .filter(({ validFrom }) => DateTime.isGreaterThan(validFrom, now) && DateTime.isLessThanOrEqualTo(validFrom, horizon))
    .filter((group) => groupAt(groups, group.validFrom) === group)
    .toSorted((a, b) => DateTime.Order(a.validFrom, b.validFrom))
  const found = [
    ...current === null ? [] : lacking(active, current, null),
    ...next.flatMap((group) => lacking(active, group, group.validFrom))
  ]
  return found.filter(({ label }, place) => found.findIndex((other) => other.label === label) === place)
}
