import { BigDecimal, Option, Schema } from "effect"
import { advanceLiteralLabel, maximumSignedNameLength, signedItemName } from "../documents/signedItemName.ts"
import type { LineItem } from "../documents/LineItem.ts"
import { Dinars, Quantity } from "../money/Dinars.ts"
import type { Environment } from "../tenancy/Environment.ts"
import { type Fault, faultAt } from "./Fault.ts"
import { isObject, listMember, member, numberMember, textMember } from "./bodyTree.ts"
import type { BodyRule } from "./decodeRequest.ts"
import { codePoints, dinarsField, formOf, indexField, itemBounds, labelsField, listField, optional, quantityField, textField, uuidField } from "./fields.ts"

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

/** Source: Spec, Resources, LineItem. Rules between its fields: {@link itemRules}. */
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

const one = BigDecimal.fromBigInt(1n)

/** The rules between the fields of each item (Spec, Resources, LineItem; Decisions §1). */
export const itemRules = (environment: Environment): BodyRule => (body) =>
  listMember(body, "items").flatMap((item, index) =>
    isObject(item) ? [...namingFaults(item, index, environment), ...discountFaults(item, index)] : []
  )

const namingFaults = (item: unknown, index: number, environment: Environment): ReadonlyArray<Fault> => {
  const name = textMember(item, "name")
  const label = name === undefined ? Option.none() : advanceLiteralLabel(name, environment)
  return Option.isSome(label) ? advanceFaults(item, index, label.value) : ordinaryFaults(item, index, name, environment)
}

/** An advance literal defines the item: its only label is the one in brackets, its quantity 1 (Decisions §1). */
const advanceFaults = (item: unknown, index: number, label: string): ReadonlyArray<Fault> => {
  const quantity = numberMember(item, "quantity")
  const labels = member(item, "taxLabels")
  const faults: Array<Fault> = []
  if (quantity !== undefined && !BigDecimal.equals(quantity, one)) {
    faults.push(faultAt(["items", index, "quantity"], "must be 1 on an advance item"))
  }
  if (Array.isArray(labels) && (labels.length !== 1 || labels[0] !== label)) {
    faults.push(faultAt(["items", index, "taxLabels"], `must be only ${label}, the label the advance item names`))
  }
  return faults
}

const ordinaryFaults = (
  item: unknown,
  index: number,
  name: string | undefined,
  environment: Environment
): ReadonlyArray<Fault> => {
  const unitOfMeasure = textMember(item, "unitOfMeasure")
  if (member(item, "unitOfMeasure") === undefined) {
    return [faultAt(["items", index, "unitOfMeasure"], "is required on every item but the prescribed advance items")]
  }
  if (name === undefined || unitOfMeasure === undefined) return []
  const signed = signedItemName({ name, unitOfMeasure }, environment)
  return codePoints(name) <= maximumSignedNameLength && codePoints(signed) > maximumSignedNameLength
    ? [faultAt(["items", index, "name"], `must have at most ${maximumSignedNameLength} characters together with /${unitOfMeasure}`)]
    : []
}

const discountFaults = (item: unknown, index: number): ReadonlyArray<Fault> => {
  const price = numberMember(item, "unitPrice")
  const before = numberMember(item, "unitPriceBeforeDiscount")
  return price === undefined || before === undefined || BigDecimal.isGreaterThan(before, price)
    ? []
    : [faultAt(["items", index, "unitPriceBeforeDiscount"], "must be greater than unitPrice")]
}
