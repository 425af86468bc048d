import type { EnvironmentSettings } from "../tenancy/Environment.ts"
import type { VatStatus } from "../tenancy/Taxpayer.ts"
import { vatLabels } from "./checkLabels.ts"
import type { TaxRateGroup } from "./TaxRateGroup.ts"

/** A label that a taxpayer may use with a group of rates: a VAT label for one in the VAT system, none of them for one outside it. */
export const permittedLabel = (
  group: TaxRateGroup,
  vatStatus: VatStatus,
  { vatCategories }: Pick<EnvironmentSettings, "vatCategories">
): string | undefined => {
  const vat = vatLabels(group, vatCategories)
  const others = group.rates.map((rate) => rate.label).filter((label) => !vat.includes(label))
  return vatStatus === "OUTSIDE_VAT" ? others[0] : vat[0] ?? others[0]
}
