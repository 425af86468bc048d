import { dinarsField, labelsField, noControlCharacters, optional, textField } from "../requests/fields.ts"
import { Sku } from "./Sku.ts"

/** The separator of a product's labels in a CSV file (Spec, Catalogue operations). */
export const labelSeparator = "|"

// 8,6E+12: a spreadsheet read the code as a number and rounded it; its digits are lost.
const shortenedNumber = /^\d(?:[.,]\d+)?[eE]\+\d+$/

const shortenedFault = "must have all its digits: a spreadsheet read it as a number and shortened it; format the column as text and enter the code again"

const gtinField = textField(32, {
  form: (text) => (shortenedNumber.test(text) ? shortenedFault : undefined)
})

const labelField = textField(50, {
  form: (text) => (text.includes(labelSeparator) ? `must not contain ${labelSeparator}, which separates labels in a CSV file` : undefined),
  pattern: noControlCharacters.replace("[^", `[^${labelSeparator}`)
})

/** The fields of a product with their bounds, for bodies and files alike. Source: Spec, Catalogue operations; Limits. */
export const productFields = {
  sku: Sku,
  gtin: optional(gtinField.annotate({ description: "Its trade item number, where it has one." })),
  name: textField(500).annotate({ description: "What it is called." }),
  unitOfMeasure: textField(50).annotate({ description: "What it is counted in." }),
  grossUnitPrice: dinarsField.annotate({ description: "Price of one unit with tax, dinars, at most two decimals." }),
  taxLabels: labelsField(labelField.annotate({ description: "A label." })).annotate({
    description: "Labels of the tax-rate read; whether they are current is asked when a receipt is issued."
  })
}
