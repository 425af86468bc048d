import { DateTime } from "effect"
import type { CategoryType, TaxRate, TaxRateGroup } from "../../src/tax/TaxRateGroup.ts"
import { decimal } from "./SaleLine.ts"

export const rate = (label: string, category: string, percent: string, categoryType: CategoryType = 0): TaxRate => ({
  label,
  category,
  categoryType,
  rate: decimal(percent)
})

/** A group of rates that begins at an instant. */
export const groupOf = (rates: ReadonlyArray<TaxRate>, validFrom = "2021-12-19T23:00:00Z", groupId = 5): TaxRateGroup => ({
  groupId,
  validFrom: DateTime.makeUnsafe(validFrom),
  rates
})

/** The sandbox's published group 5 (V-PFR §5). */
export const sandboxRates: TaxRateGroup = groupOf([
  rate("F", "ECAL", "11"),
  rate("N", "N-TAX", "0"),
  rate("P", "PBL", "0.50", 2),
  rate("E", "STT", "6"),
  rate("T", "TOTL", "2", 1),
  rate("A", "VAT", "9"),
  rate("B", "VAT", "0"),
  rate("Ж", "VAT", "19"),
  rate("C", "VAT-EXCL", "0")
])

/** Production's labels (V-PFR §6.4), all letters Cyrillic. */
export const productionRates: TaxRateGroup = groupOf([
  rate("Ђ", "О-ПДВ", "20"),
  rate("Е", "П-ПДВ", "10"),
  rate("Г", "Без ПДВ", "0"),
  rate("А", "Није у ПДВ", "0")
])

/** The categories whose labels are VAT labels (Decisions §1). */
export const productionVatCategories: ReadonlySet<string> = new Set(["О-ПДВ", "П-ПДВ", "Без ПДВ"])
export const sandboxVatCategories: ReadonlySet<string> = new Set(["VAT"])
