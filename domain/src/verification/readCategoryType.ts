import type { CategoryType } from "../tax/TaxRateGroup.ts"
import { integerField, type JsonObject, textField } from "./jsonFields.ts"

const namedTypes: ReadonlyMap<string, CategoryType> = new Map([["taxonnet", 0], ["taxontotal", 1], ["amountperquantity", 2]])

/** A category's type, which real answers write as a number and others as a name (V-PFR §5); null when it is neither. */
export const readCategoryType = (category: JsonObject): CategoryType | null => {
  const number = integerField(category, "categoryType")
  if (number === 0 || number === 1 || number === 2) return number
  return namedTypes.get((textField(category, "categoryType") ?? "").toLowerCase()) ?? null
}
