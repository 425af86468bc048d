import { BigDecimal, Schema } from "effect"
import type { LineItem } from "../documents/LineItem.ts"
import { maximumSignedNameLength } from "../documents/signedItemName.ts"
import { Dinars } from "../money/Dinars.ts"
import { Quantity } from "../money/Quantity.ts"
import { itemBounds, labelsField, listField } from "./listField.ts"
import { dinarsField, indexField, quantityField } from "./numberField.ts"
import { formOf, optional, textField, uuidField } from "./textField.ts"

const gtinField = textField(14, formOf(/^[0-9]{8,14}$/, "must be 8 to 14 digits"))

const itemFields = {
  name: textField(maximumSignedNameLength).annotate({
    description: `Printed as name/unit; together at most ${maximumSignedNameLength} characters.`
  }),
  unitOfMeasure: optional(
    textField(50).annotate({ description: "Required on every item except the prescribed advance item literals." })
  ),
  quantity: quantityField.annotate({ description: "Up to three decimals." }),
  unitPrice: dinarsField.annotate({ description: "Final gross unit price after discount, dinars, at most two decimals." }),
  unitPriceBeforeDiscount: optional(
    dinarsField.annotate({ description: "Greater than unitPrice; shown outside the fiscal part, never sent to the V-PFR." })
  ),
  gtin: optional(gtinField.annotate({ description: "8 to 14 digits; printed." })),
  catalogProductId: optional(uuidField.annotate({ description: "The catalogue product; the item is complete without it." })),
  taxLabels: labelsField(textField(50).annotate({ description: "A label." })).annotate({ description: "Labels from the tax-rate read." })
}

const itemField = Schema.Struct(itemFields).annotate({ identifier: "LineItem", description: "One line of the receipt." })

const refundItemField = Schema.Struct({
  ...itemFields,
  originalLineIndex: indexField.annotate({ description: "Zero-based index of the line in the original's items." })
}).annotate({ identifier: "RefundItem", description: "A line of the original, given back in whole or in part." })

/** Source: Spec, Resources, LineItem. Rules between its fields: `itemRules.ts`. */
export const itemsField = listField(itemField, itemBounds)

/** A refund's items: a LineItem and the line of the original it gives back (Spec, refund-workflows). */
export const refundItemsField = listField(refundItemField, itemBounds)

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
