import { advanceLiteral, advanceLiteralLabel, type Environment, formatDecimal, lineAmount, type LineItem, roundToPara } from "@overa/domain"
import { BigDecimal, Option } from "effect"
import type { Form } from "../../http/Form.ts"
import { typedAmount } from "../../language/typedAmount.ts"

export const lineFields = ["product", "gtin", "name", "unit", "quantity", "price", "discount", "labels"] as const
export type LineField = (typeof lineFields)[number]
export type TypedLine = Readonly<Record<LineField, string>>

/** More is issued through the API. */
export const mostLines = 60

/** The lines in a form, in their order. */
export const linesIn = (form: Form): ReadonlyArray<TypedLine> =>
  Array.from({ length: mostLines }, (_, at) => at)
    .filter((at) => form.has(`name-${at}`))
    .map((at) => Object.fromEntries(lineFields.map((field) => [field, form.text(`${field}-${at}`)])) as TypedLine)

export const emptyLine: TypedLine = { product: "", gtin: "", name: "", unit: "", quantity: "1", price: "", discount: "", labels: "" }

/** A line in which nothing was entered is none. */
export const isEmpty = ({ discount, name, price }: TypedLine): boolean => name === "" && price === "" && discount === ""

const decimal = (text: string, form: RegExp): BigDecimal.BigDecimal | null => form.test(text) ? BigDecimal.fromStringUnsafe(text.replace(",", ".")) : null
const quantityForm = /^\d{1,11}(?:[.,]\d{1,3})?$/
const percentForm = /^\d{1,11}(?:[.,]\d{1,2})?$/

const hundred = BigDecimal.fromStringUnsafe("100")

/** The price after the discount, to the para; null where either is no number. */
const priceAfter = ({ discount, price }: Pick<TypedLine, "discount" | "price">): BigDecimal.BigDecimal | null => {
  const before = typedAmount(price)
  const percent = decimal(discount || "0", percentForm)
  if (before === null || percent === null || BigDecimal.isGreaterThan(percent, hundred)) return null
  return roundToPara(BigDecimal.divideUnsafe(BigDecimal.multiply(before, BigDecimal.subtract(hundred, percent)), hundred))
}

const labelsOf = (text: string): ReadonlyArray<string> => text.split(/[\s,;|]+/).filter((label) => label !== "")

/** How an advance is named: as it was typed, else by the prescribed name of its label; that name has no unit. */
const advanceName = ({ labels, name, unit }: TypedLine, environment: Environment) => {
  const [label = ""] = labelsOf(labels)
  const said = name === "" ? Option.getOrElse(advanceLiteral(label, environment), () => "") : name
  return { name: said, unitOfMeasure: Option.isSome(advanceLiteralLabel(said, environment)) ? null : unit }
}

/** A line as a request has it. `advanceIn` is the environment where the line is an advance; null where it is goods. */
export const itemOf = (line: TypedLine, advanceIn: Environment | null): Readonly<Record<string, unknown>> => {
  const before = typedAmount(line.price)
  const after = priceAfter(line)
  const isDiscounted = before !== null && after !== null && BigDecimal.isLessThan(after, before)
  return {
    ...(advanceIn === null ? { name: line.name, unitOfMeasure: line.unit } : advanceName(line, advanceIn)),
    quantity: decimal(line.quantity, quantityForm),
    unitPrice: after,
    unitPriceBeforeDiscount: isDiscounted ? before : null,
    gtin: line.gtin === "" ? null : line.gtin,
    catalogProductId: line.product === "" ? null : line.product,
    taxLabels: labelsOf(line.labels)
  }
}

/** The amount of a line; null while quantity or price is none. */
export const amountOf = (line: TypedLine): BigDecimal.BigDecimal | null => {
  const quantity = decimal(line.quantity, quantityForm)
  const unitPrice = priceAfter(line)
  return quantity === null || unitPrice === null ? null : lineAmount({ quantity, unitPrice })
}

/** What the lines come to, those that are complete. */
export const totalOf = (lines: ReadonlyArray<TypedLine>): BigDecimal.BigDecimal =>
  lines.flatMap((line) => amountOf(line) ?? []).reduce(BigDecimal.sum, BigDecimal.fromBigInt(0n))

const said = (value: BigDecimal.BigDecimal, decimals: number): string => formatDecimal(value, decimals).replace(".", ",")

/** The percent that makes the one price of the other; null where no percent of two decimals does. */
const percentOf = ({ unitPrice, unitPriceBeforeDiscount: before }: LineItem): string | null => {
  if (before === null || BigDecimal.isZero(before)) return null
  const share = BigDecimal.divideUnsafe(BigDecimal.multiply(BigDecimal.subtract(before, unitPrice), hundred), before)
  const discount = said(BigDecimal.round(share, { scale: 2, mode: "half-from-zero" }), 2)
  const again = priceAfter({ discount, price: said(before, 2) })
  return again !== null && BigDecimal.equals(again, unitPrice) ? discount : null
}

/** The line of a document that is issued anew, as it would be typed. */
export const lineOfItem = (item: LineItem): TypedLine => {
  const discount = percentOf(item)
  const price = discount === null || item.unitPriceBeforeDiscount === null ? item.unitPrice : item.unitPriceBeforeDiscount
  return {
    product: item.catalogProductId ?? "",
    gtin: item.gtin ?? "",
    name: item.name,
    unit: item.unitOfMeasure ?? "",
    quantity: formatDecimal(item.quantity).replace(".", ","),
    price: said(price, 2),
    discount: discount ?? "",
    labels: item.taxLabels.join(" ")
  }
}
