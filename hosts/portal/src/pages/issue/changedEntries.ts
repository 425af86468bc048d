import { formatDecimal, type Product } from "@overa/domain"
import type { Form } from "../../http/Form.ts"
import { paymentsAfter } from "../drafts/payments.ts"
import type { TypedDocument } from "./typedDocument.ts"
import { emptyLine, isEmpty, mostLines, type TypedLine } from "./typedLines.ts"

/** What was looked up in the catalogue; a single product is taken. */
export interface Found {
  readonly text: string
  readonly products: ReadonlyArray<Product>
}

const lineOf = ({ grossUnitPrice, gtin, id, name, taxLabels, unitOfMeasure }: Product): TypedLine => ({
  product: id,
  gtin: gtin !== null && /^\d{8,14}$/.test(gtin) ? gtin : "",
  name,
  unit: unitOfMeasure ?? "",
  quantity: "1",
  price: formatDecimal(grossUnitPrice, 2).replace(".", ","),
  discount: "",
  labels: taxLabels.join(" ")
})

const added = (lines: ReadonlyArray<TypedLine>, line: TypedLine): ReadonlyArray<TypedLine> => {
  // The same product once more is one more of it, as a till counts what is scanned twice.
  const same = lines.findIndex(({ discount, product, quantity }) => product !== "" && product === line.product && discount === "" && /^\d{1,9}$/.test(quantity))
  if (same >= 0) return lines.map((it, at) => at === same ? { ...it, quantity: String(Number(it.quantity) + 1) } : it)
  const kept = lines.filter((it) => !isEmpty(it))
  return kept.length < mostLines ? [...kept, line] : lines
}

const linesAfter = ({ lines }: TypedDocument, form: Form, found: Found | null): ReadonlyArray<TypedLine> => {
  const [product] = found?.products ?? []
  if (product !== undefined && found?.products.length === 1) return added(lines, lineOf(product))
  if (form.text("act") === "line" && lines.length < mostLines) return [...lines, emptyLine]
  const removed = form.has("remove") ? lines.filter((_, at) => String(at) !== form.text("remove")) : lines
  return removed.length === 0 ? [emptyLine] : removed
}

/** The entries after the button that was pressed. */
export const changedEntries = (typed: TypedDocument, form: Form, found: Found | null): TypedDocument => ({
  ...typed,
  lines: linesAfter(typed, form, found),
  payments: paymentsAfter(typed.payments, form)
})
