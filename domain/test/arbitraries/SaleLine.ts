import { BigDecimal } from "effect"
import * as fc from "fast-check"
import type { LineItem } from "../../src/documents/LineItem.ts"
import { Dinars, Quantity } from "../../src/money/Dinars.ts"

/** A price or amount of whole paras, made from an integer so that no binary fraction ever enters. */
export const dinars = (maximumParas = 100_000_00): fc.Arbitrary<Dinars> =>
  fc.integer({ min: 0, max: maximumParas }).map((paras) => Dinars.make(BigDecimal.make(BigInt(paras), 2)))

/** A quantity in thousandths. */
export const quantity = (maximumThousandths = 100_000): fc.Arbitrary<Quantity> =>
  fc.integer({ min: 1, max: maximumThousandths }).map((thousandths) => Quantity.make(BigDecimal.make(BigInt(thousandths), 3)))

/** Labels of the sandbox and of production, Cyrillic and Latin look-alikes among them. */
export const taxLabels: fc.Arbitrary<ReadonlyArray<string>> = fc.uniqueArray(
  fc.constantFrom("Ђ", "Е", "E", "Г", "А", "A", "F", "P"),
  { minLength: 1, maxLength: 3 }
)

/** A line of a sale, as stored. */
export const saleLine: fc.Arbitrary<LineItem> = fc.record({
  name: fc.string({ minLength: 1, maxLength: 20, unit: "grapheme" }),
  unitOfMeasure: fc.constantFrom("kom", "kg", "л"),
  quantity: quantity(),
  unitPrice: dinars(),
  unitPriceBeforeDiscount: fc.constant(null),
  gtin: fc.option(fc.stringMatching(/^\d{8,14}$/)),
  catalogProductId: fc.constant(null),
  taxLabels,
  originalLineIndex: fc.constant(null)
})

/** The decimal that a text contains. */
export const decimal = (text: string): BigDecimal.BigDecimal => BigDecimal.fromStringUnsafe(text)

/** A plain line for worked examples. */
export const lineOf = (unitPrice: string, quantitySold: string, fields: Partial<LineItem> = {}): LineItem => ({
  name: "Хлеб",
  unitOfMeasure: "kom",
  quantity: Quantity.make(decimal(quantitySold)),
  unitPrice: Dinars.make(decimal(unitPrice)),
  unitPriceBeforeDiscount: null,
  gtin: null,
  catalogProductId: null,
  taxLabels: ["Ђ"],
  originalLineIndex: null,
  ...fields
})
