import { BigDecimal, Schema } from "effect"
import type { LineItem } from "../documents/LineItem.ts"
import { Dinars } from "../money/Dinars.ts"
import { Quantity } from "../money/Quantity.ts"
import { itemCountFault, mostItems } from "./itemCount.ts"
import { dinarsField, indexField, quantityField } from "./numberField.ts"
import { optional, textField, uuidField } from "./textField.ts"

const taxLabelField = textField(50)

const gtinField = textField(14, {
  form: (text) => (/^\d{8,14}$/.test(text) ? undefined : "must be 8 to 14 digits"),
  pattern: "^[0-9]{8,14}$"
})

const itemFields = {
  name: textField(2048),
  unitOfMeasure: optional(textField(50)),
  quantity: quantityField,
  unitPrice: dinarsField,
  unitPriceBeforeDiscount: optional(dinarsField),
  gtin: optional(gtinField),
  catalogProductId: optional(uuidField),
  taxLabels: Schema.Array(taxLabelField).check(
    Schema.makeFilter((labels: ReadonlyArray<string>) => taxLabelsFault(labels), {
      toJsonSchema: () => ({ minItems: 1, uniqueItems: true })
    })
  )
}

const taxLabelsFault = (labels: ReadonlyArray<string>): string | undefined => {
  if (labels.length === 0) return "must have at least one label"
  return new Set(labels).size === labels.length ? undefined : "must not name a label twice"
}

/** A list of 1 to 1 000 items (Spec, Limits; Decisions §1, Bounds). */
const listOfItems = <S extends Schema.Constraint>(item: S) =>
  Schema.Array(item).check(
    Schema.makeFilter(
      (items: ReadonlyArray<unknown>) => itemCountFault(items.length),
      { toJsonSchema: () => ({ minItems: 1, maxItems: mostItems }) }
    )
  )

/** Source: Spec, Resources, LineItem. Rules between its fields: `itemRules.ts`. */
export const itemsField = listOfItems(Schema.Struct(itemFields))

/** A refund's items: a LineItem and the line of the original it gives back (Spec, refund-workflows). */
export const refundItemsField = listOfItems(Schema.Struct({ ...itemFields, originalLineIndex: indexField }))

type Item = (typeof itemsField.Type)[number]
type RefundItem = (typeof refundItemsField.Type)[number]

/** An item as stored: what is absent is null. */
export const toLineItem = (item: Item | RefundItem): LineItem => ({
  name: item.name,
  unitOfMeasure: item.unitOfMeasure ?? null,
  // The schema above has already checked it.
  quantity: item.quantity as Quantity,
  unitPrice: item.unitPrice as Dinars,
  unitPriceBeforeDiscount: (item.unitPriceBeforeDiscount ?? null) as Dinars | null,
  gtin: item.gtin ?? null,
  catalogProductId: item.catalogProductId?.toLowerCase() ?? null,
  taxLabels: item.taxLabels,
  originalLineIndex: "originalLineIndex" in item ? Number(BigDecimal.format(item.originalLineIndex)) : null
})
