import { Result } from "effect"
import type { LineItem } from "../../documents/LineItem.ts"
import { checkLabels, checkLabelsExist } from "../../tax/checkLabels.ts"
import { CurrentTaxConfigurationUnavailable } from "../../tax/errors.ts"
import type { DraftFacts } from "./IssuableKind.ts"

type Items = ReadonlyArray<Pick<LineItem, "taxLabels">>

/** Step 9 for a document whose labels must be valid now: a fresh configuration, the labels in it, the taxpayer's VAT status. */
export const checkLabelsNow = (items: Items, { place, taxRates }: Pick<DraftFacts<unknown>, "place" | "taxRates">) => {
  if (taxRates === null) return Result.fail(new CurrentTaxConfigurationUnavailable({}))
  const { vatStatus } = place.found.taxpayer
  return checkLabels(items, { group: taxRates, vatStatus, vatCategories: place.settings.vatCategories })
}

/**
 * Step 9 for a document that gives back or repeats another: the labels must only exist at the other document's time, and unknown rates stop nothing
 * (Decisions §2).
 */
export const checkLabelsThen = (items: Items, { taxRates }: Pick<DraftFacts<unknown>, "taxRates">) =>
  taxRates === null ? Result.void : checkLabelsExist(items, taxRates)
