import { BigDecimal, Option, Schema } from "effect"
import type { LineItem, Payment } from "../documents/LineItem.ts"
import { advanceLiteralLabel, maximumSignedNameLength, signedItemName } from "../documents/signedItemName.ts"
import { Dinars, maximumDinars, Quantity } from "../money/Dinars.ts"
import { formatDecimal, hasAtMostDecimals } from "../money/decimals.ts"
import { lineAmount } from "../money/rounding.ts"
import type { Environment } from "../tenancy/Environment.ts"
import { type Fault, faultAt } from "./Fault.ts"
import { isObject, listMember, member, numberMember, textMember } from "./bodyTree.ts"
import type { BodyRule } from "./decodeRequest.ts"
import { dinarsField, formOf, indexField, isLongerThan, itemBounds, labelsField, listField, optional, quantityField, textField, uuidField } from "./fields.ts"

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

/** An item as stored: what is absent is null. An advance literal is signed without a unit, so it has none, whatever the caller sent (docs/adr/0213). */
export const toLineItem = (environment: Environment) => (item: Item | RefundItem): LineItem => ({
  name: item.name,
  unitOfMeasure: Option.isSome(advanceLiteralLabel(item.name, environment)) ? null : item.unitOfMeasure ?? null,
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
  return isLongerThan(signed, maximumSignedNameLength) && !isLongerThan(name, maximumSignedNameLength)
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

const zero = BigDecimal.fromBigInt(0n)

/** The rounded amount of each item; undefined where quantity or price is no number. */
const lineAmounts = (body: unknown): ReadonlyArray<BigDecimal.BigDecimal | undefined> =>
  listMember(body, "items").map((item) => {
    const quantity = numberMember(item, "quantity")
    const unitPrice = numberMember(item, "unitPrice")
    return quantity === undefined || unitPrice === undefined ? undefined : lineAmount({ quantity, unitPrice })
  })

/** The sum of a list of amounts; undefined for an empty list, or when one amount is undefined. */
const knownSum = (
  amounts: ReadonlyArray<BigDecimal.BigDecimal | undefined>
): BigDecimal.BigDecimal | undefined => {
  if (amounts.length === 0) return undefined
  return amounts.reduce<BigDecimal.BigDecimal | undefined>(
    (sum, amount) => (sum === undefined || amount === undefined ? undefined : BigDecimal.sum(sum, amount)),
    zero
  )
}

const tooLarge = (amount: BigDecimal.BigDecimal): boolean => BigDecimal.isGreaterThan(amount, maximumDinars)

const boundFaults = (
  amounts: ReadonlyArray<BigDecimal.BigDecimal | undefined>,
  total: BigDecimal.BigDecimal | undefined
): ReadonlyArray<Fault> => {
  const limit = formatDecimal(maximumDinars, 2)
  const lines = amounts.flatMap((amount, index) =>
    amount !== undefined && tooLarge(amount)
      ? [faultAt(["items", index], `must come to at most ${limit}: quantity × unitPrice is ${formatDecimal(amount, 2)}`)]
      : []
  )
  const whole = total !== undefined && tooLarge(total)
    ? [totalsFault(`the items must come to at most ${limit} together, not ${formatDecimal(total, 2)}`)]
    : []
  return [...lines, ...whole]
}

/**
 * The fault of a document whose payments are not equal to its items, at the key the contract names.
 *
 * @example totalsFault("the items come to 10.00, the payments to 9.99; they must be equal")
 */
export const totalsFault = (message: string, list = "payments"): Fault => ({
  pointer: `/${list}`,
  key: "totals",
  message
})

/** No line and no total above the largest amount (Decisions §1, Bounds). */
export const amountBounds: BodyRule = (body) => {
  const amounts = lineAmounts(body)
  return boundFaults(amounts, knownSum(amounts))
}

/**
 * The payments sum to exactly the total, which is the sum of the rounded lines (Spec, fiscal-documents rule 1; Decisions §1,
 * Totals). Includes {@link amountBounds}.
 */
export const totalsRule: BodyRule = (body) => {
  const amounts = lineAmounts(body)
  const total = knownSum(amounts)
  const paid = knownSum(listMember(body, "payments").map((payment) => numberMember(payment, "amount")))
  const bounds = boundFaults(amounts, total)
  if (total === undefined || paid === undefined || BigDecimal.equals(total, paid)) return bounds
  const message = `the items come to ${formatDecimal(total, 2)}, the payments to ${formatDecimal(paid, 2)}; they must be equal`
  return [...bounds, totalsFault(message)]
}

/**
 * What the V-PFR is known to reject of a document that every check of ours accepts. Of all bodies that we accept these are the only ones, apart from
 * the labels' number, whose limit nobody has published (`contract-tests/test/knownRejections.test.ts` compares with the simulator).
 */
export const knownRejections = ({ payments }: { readonly payments: ReadonlyArray<Payment> }): ReadonlyArray<Fault> =>
  payments.flatMap(({ amount }, index) =>
    hasAtMostDecimals(amount, 2)
      ? []
      : [faultAt(["payments", index, "amount"], "has more than two decimals: the V-PFR rejects the document with code 2804")]
  )
