import { Schema } from "effect"
import { dinarsField } from "../requests/numberField.ts"
import { optional, textField } from "../requests/textField.ts"
import { Sku } from "./Sku.ts"

/** The separator of a product's labels in a CSV file (Spec, Catalogue operations). */
export const labelSeparator = "|"

// 8,6E+12: a spreadsheet read the code as a number and rounded it; its digits are lost.
const shortenedNumber = /^\d(?:[.,]\d+)?[eE]\+\d+$/

const shortenedFault = "must have all its digits: a spreadsheet took it for a number and cut it; format the column as text and enter the code again"

const gtinField = textField(32, {
  form: (text) => (shortenedNumber.test(text) ? shortenedFault : undefined)
})

const labelField = textField(50, {
  form: (text) => (text.includes(labelSeparator) ? `must not contain ${labelSeparator}, which parts labels in a CSV file` : undefined)
})

const labelsFault = (labels: ReadonlyArray<string>): string | undefined => {
  if (labels.length === 0) return "must have at least one label"
  return new Set(labels).size === labels.length ? undefined : "must not name a label twice"
}

/** The fields of a product with their bounds, for bodies and files alike. Source: Spec, Catalogue operations; Limits. */
export const productFields = {
  sku: Sku,
  gtin: optional(gtinField),
  name: textField(500),
  unitOfMeasure: textField(50),
  grossUnitPrice: dinarsField,
  taxLabels: Schema.Array(labelField).check(
    Schema.makeFilter(labelsFault, { toJsonSchema: () => ({ minItems: 1, uniqueItems: true }) })
  )
}
