import { digitExpectedInBuyerId, digitExpectedInGtin, decodeFiscalDocumentRequest, decodeProformaTrainingRequest, type NormalSale, PaymentType, type ProformaTrainingRequest, lineAmount, roundToPara, bodyOf, type Fault, type TaxpayerEntry } from "@overa/domain"
import { BigDecimal, Result } from "effect"
import type { Form } from "../../http/Form.ts"
import type { Faults } from "../../html/forms.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { typedAmount } from "../../language/typedAmount.ts"
import { gtinDigitWords, taxIdDigitWords } from "../checkDigitWords.ts"
import { cashierFaults, readCashier } from "../receipts/cashier.ts"
import { faultWords } from "./faultWords.ts"

/** What is issued by hand, as the form names it. */
export const kinds = ["NORMAL", "PROFORMA", "TRAINING"] as const
export type Kind = (typeof kinds)[number]

export const lineFields = ["product", "gtin", "name", "unit", "quantity", "price", "discount", "labels"] as const
export type LineField = (typeof lineFields)[number]
export type TypedLine = Readonly<Record<LineField, string>>

export interface TypedPayment {
  readonly type: string
  readonly amount: string
}

/** The entries as they were typed. */
export interface TypedDocument {
  readonly kind: Kind
  readonly premise: string
  readonly reference: string
  readonly buyer: string
  readonly lines: ReadonlyArray<TypedLine>
  readonly payments: ReadonlyArray<TypedPayment>
}

/** More is issued through the API. */
export const mostLines = 60
const mostPayments = 7

const counted = <A>(most: number, at: (index: number) => A | null): ReadonlyArray<A> =>
  Array.from({ length: most }, (_, index) => at(index)).filter((it) => it !== null)

/** The entries in a form, in their order. */
export const readTyped = (form: Form): TypedDocument => ({
  kind: kinds.find((kind) => kind === form.text("kind")) ?? "NORMAL",
  premise: form.text("premise"),
  reference: form.text("reference"),
  buyer: form.text("buyer"),
  lines: counted(mostLines, (at) => form.has(`name-${at}`) ? Object.fromEntries(lineFields.map((field) => [field, form.text(`${field}-${at}`)])) as TypedLine : null),
  payments: counted(mostPayments, (at) => form.has(`payment-${at}`) ? { type: form.text(`payment-${at}`), amount: form.text(`amount-${at}`) } : null)
})

export const emptyLine: TypedLine = { product: "", gtin: "", name: "", unit: "", quantity: "1", price: "", discount: "", labels: "" }

/** A line in which nothing was entered is none. */
export const isEmpty = ({ discount, name, price }: TypedLine): boolean => name === "" && price === "" && discount === ""

const decimal = (text: string, form: RegExp): BigDecimal.BigDecimal | null => form.test(text) ? BigDecimal.fromStringUnsafe(text.replace(",", ".")) : null
const quantityForm = /^\d{1,11}(?:[.,]\d{1,3})?$/
const percentForm = /^\d{1,11}(?:[.,]\d{1,2})?$/

const hundred = BigDecimal.fromStringUnsafe("100")

/** The price after the discount, to the para; null where either is no number. */
const priceAfter = ({ discount, price }: TypedLine): BigDecimal.BigDecimal | null => {
  const before = typedAmount(price)
  const percent = decimal(discount || "0", percentForm)
  if (before === null || percent === null || BigDecimal.isGreaterThan(percent, hundred)) return null
  return roundToPara(BigDecimal.divideUnsafe(BigDecimal.multiply(before, BigDecimal.subtract(hundred, percent)), hundred))
}

const labelsOf = (text: string): ReadonlyArray<string> => text.split(/[\s,;|]+/).filter((label) => label !== "")

const itemOf = (line: TypedLine): Readonly<Record<string, unknown>> => {
  const before = typedAmount(line.price)
  const after = priceAfter(line)
  const isDiscounted = before !== null && after !== null && BigDecimal.isLessThan(after, before)
  return {
    name: line.name,
    unitOfMeasure: line.unit,
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

const sum = (amounts: ReadonlyArray<BigDecimal.BigDecimal>): BigDecimal.BigDecimal => amounts.reduce(BigDecimal.sum, BigDecimal.fromStringUnsafe("0"))

/** The payments; the last one without an amount pays what the others leave. */
const paymentsOf = (payments: ReadonlyArray<TypedPayment>, total: BigDecimal.BigDecimal): ReadonlyArray<Readonly<Record<string, unknown>>> => {
  const others = sum(payments.flatMap(({ amount }) => typedAmount(amount) ?? []))
  return payments.map(({ amount, type }, at) => ({
    type,
    amount: typedAmount(amount) ?? (amount === "" && at === payments.length - 1 ? BigDecimal.subtract(total, others) : null)
  }))
}

/** `10:` may be left out before a tax identifier. */
export const buyerIdOf = (typed: string): string => /^\d{9}$/.test(typed) ? `10:${typed}` : typed

/** A document that may be tried or issued: the body that the API would have received, and what it says. */
export type Asked =
  | { readonly _tag: "Sale"; readonly body: unknown; readonly decoded: NormalSale }
  | { readonly _tag: "ProformaTraining"; readonly body: unknown; readonly decoded: ProformaTrainingRequest }

const bodyFor = (typed: TypedDocument, lines: ReadonlyArray<TypedLine>, taxpayerId: string, cashier: string): unknown => {
  const buyer = buyerIdOf(typed.buyer)
  return bodyOf({
    taxpayerId,
    businessPremiseId: typed.premise,
    clientReference: typed.reference,
    invoiceType: typed.kind,
    transactionType: "SALE",
    cashier: { id: cashier },
    ...(buyer === "" ? {} : { buyer: { id: buyer } }),
    items: lines.map(itemOf),
    payments: paymentsOf(typed.payments, sum(lines.flatMap((line) => amountOf(line) ?? [])))
  })
}

/** A fault's place among the lines that were typed, empty ones counted. */
const pointed = (typed: TypedDocument, { pointer }: Fault): readonly [string, string] => {
  const [, list = "", index = "", member = ""] = pointer.split("/")
  if (list === "items" && index !== "") {
    const at = typed.lines.map((line, place) => isEmpty(line) ? null : place).filter((it) => it !== null)[Number(index)] ?? 0
    return [`/items/${member}`, `-${at}`]
  }
  return [list === "payments" && index !== "" ? `/payments/${member}` : `/${list}`, list === "payments" ? `-${index || typed.payments.length - 1}` : ""]
}

const spoken = (visit: MemberVisit, typed: TypedDocument, faults: ReadonlyArray<Fault>): Faults =>
  Object.fromEntries(faults.map((fault) => {
    const [place, at] = pointed(typed, fault)
    const { field, words } = faultWords(place)
    return [field + at, visit.say(...words)] as const
  }))

/** Check digits of what a person has typed. A product of the catalogue keeps the barcode it has. */
const digitFaults = ({ say }: MemberVisit, typed: TypedDocument): Faults => {
  const buyer = digitExpectedInBuyerId(buyerIdOf(typed.buyer))
  const barcodes = typed.lines.flatMap((line, at) => {
    const expected = line.product === "" && !isEmpty(line) ? digitExpectedInGtin(line.gtin) : undefined
    return expected === undefined ? [] : [[`gtin-${at}`, gtinDigitWords(say, expected)] as const]
  })
  return { ...(buyer === undefined ? {} : { buyer: taxIdDigitWords(say, buyer) }), ...Object.fromEntries(barcodes) }
}

const decodedDocument = (visit: MemberVisit, typed: TypedDocument, entries: ReadonlyArray<TaxpayerEntry>): Asked | Faults => {
  const cashier = readCashier(visit)
  const taxpayer = entries.find(({ premises }) => premises.some(({ id }) => id === typed.premise))?.taxpayer
  const lines = typed.lines.filter((line) => !isEmpty(line))
  if (cashier === null || taxpayer === undefined) {
    return { ...cashierFaults(visit), ...(taxpayer === undefined ? { premise: visit.say("Изаберите пословни простор.", "Choose the premise.") } : {}) }
  }
  if (lines.length === 0) return { "name-0": visit.say("Унесите бар једну ставку.", "Enter at least one item.") }
  const body = bodyFor(typed, lines, taxpayer.id, cashier)
  const context = { environment: visit.environment }
  if (typed.kind === "NORMAL") {
    const read = decodeFiscalDocumentRequest(body, context)
    if (Result.isFailure(read)) return spoken(visit, typed, read.failure.faults)
    if (read.success._tag === "NormalSale") return { _tag: "Sale", body, decoded: read.success }
    return { kind: visit.say("Изаберите шта се издаје.", "Choose what is issued.") }
  }
  const read = decodeProformaTrainingRequest(body, context)
  return Result.isFailure(read) ? spoken(visit, typed, read.failure.faults) : { _tag: "ProformaTraining", body, decoded: read.success }
}

/** The document in the form, or its faults by field. */
export const readDocument = (visit: MemberVisit, typed: TypedDocument, entries: ReadonlyArray<TaxpayerEntry>): Asked | Faults => {
  const read = decodedDocument(visit, typed, entries)
  const digits = digitFaults(visit, typed)
  if (Object.keys(digits).length === 0) return read
  return isAsked(read) ? digits : { ...digits, ...read }
}

export const isAsked = (read: Asked | Faults): read is Asked => typeof (read as Asked).decoded === "object"

export const paymentTypes = PaymentType.literals
