import { BigDecimal } from "effect"
import type { LineItem } from "../documents/LineItem.ts"
import { formatDecimal } from "../money/decimals.ts"

/** The fields of an item that must repeat the original's line. */
export type RepeatedField = "name" | "unitOfMeasure" | "unitPrice" | "taxLabels" | "gtin"

const repeatedFields: ReadonlyArray<RepeatedField> = ["name", "unitOfMeasure", "unitPrice", "taxLabels", "gtin"]

const sameLabels = (left: ReadonlyArray<string>, right: ReadonlyArray<string>): boolean => {
  const labels = new Set(left)
  return labels.size === new Set(right).size && right.every((label) => labels.has(label))
}

/**
 * The fields in which an item differs from a line, in the contract's names; empty when it matches. The quantity may differ; the price before discount
 * and the catalogue product are not part of the fiscal line. Source: Spec, Refunds rule 2; Decisions §5, Refund workflow.
 */
export const differingFields = (item: LineItem, line: LineItem): ReadonlyArray<RepeatedField> => {
  const repeats: Readonly<Record<RepeatedField, boolean>> = {
    name: item.name === line.name,
    unitOfMeasure: item.unitOfMeasure === line.unitOfMeasure,
    unitPrice: BigDecimal.equals(item.unitPrice, line.unitPrice),
    taxLabels: sameLabels(item.taxLabels, line.taxLabels),
    gtin: item.gtin === line.gtin
  }
  return repeatedFields.filter((field) => !repeats[field])
}

/** What a differing field would have to be, in words for people. */
export const mustRepeat = (line: LineItem, field: RepeatedField): string => {
  const value = line[field]
  if (value === null) return "must be absent, as on the original's line"
  return `must be ${BigDecimal.isBigDecimal(value) ? formatDecimal(value, 2) : JSON.stringify(value)}, as on the original's line`
}
