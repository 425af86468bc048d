import { divideRounded } from "../exactDecimal.ts"
import {
  type InvoiceRequest,
  invoiceTypes,
  paymentTypes,
  type RequestedItem,
  type RequestedPayment,
  transactionTypes
} from "./InvoiceRequest.ts"
import { JsonObject } from "./JsonDocument.ts"
import { type ModelError, ModelState, rejectionCode } from "./ModelState.ts"
import {
  type Field,
  readDecimal,
  readEnumerated,
  readGtin,
  readList,
  readOption,
  readOptionalText,
  readOptionalTime,
  readRequiredText
} from "./readField.ts"

/** The real limits are unknown (V-PFR §12.5); these accept every receipt that occurs in Serbian practice. */
export const listLimits = { items: 1000, payments: 50, labels: 10 } as const

/** decimal(14,3) from 0.001; decimal(14,2); an amount of at most 29 digits (V-PFR §2). */
const quantityBounds = { decimals: 3, minimum: 1n, maximum: 10n ** 14n - 1n }
const priceBounds = { decimals: 2, minimum: 0n, maximum: 10n ** 14n - 1n }
const paymentBounds = (decimals: PaymentDecimals) => ({ decimals, minimum: 0n, maximum: 10n ** 29n - 1n })

/** More than two are refused (Decisions §9); some clients send four, and whether the real V-PFR signs those is unknown (V-PFR §2). */
export type PaymentDecimals = 2 | 4

/** `UID-UID-N`; before fiscalization `XXXXXXXX-XXXXXXXX-<no>`; an old cash register `XXXXXXXX-<IBFM>-<BI>` (V-PFR §2). */
const referencePattern = /^(?:[0-9A-Za-z]{8}-[0-9A-Za-z]{8}-\d{1,10}|XXXXXXXX-XXXXXXXX-\S(?:.*\S)?|XXXXXXXX-[A-Z0-9]{1,10}-\S(?:.*\S)?)$/u

export type InvoiceRequestReading =
  | { readonly valid: true; readonly request: InvoiceRequest }
  | { readonly valid: false; readonly errors: ReadonlyArray<ModelError> }

/** Whether a tax label exists at the time whose rates apply: now, or the referenced document's time. */
export type KnownLabels = (request: Pick<InvoiceRequest, "invoiceType" | "transactionType" | "referentDocumentDT">) => ReadonlySet<string>

const readPayment = (value: unknown, index: number, faults: ModelState, decimals: PaymentDecimals): ReadonlyArray<RequestedPayment> => {
  const path = `payment[${index}]`
  const object = JsonObject.from(value)
  if (object === null) {
    faults.add(path, rejectionCode.invalidFormat)
    return []
  }
  const field = (name: string): Field => ({ object, name, path: `${path}.${name}`, faults })
  const written = readDecimal(field("amount"), paymentBounds(decimals))
  // Printed, like everything, with two decimals.
  const amount = decimals === 2 ? written : divideRounded(written, 100n)
  const paymentType = readEnumerated(field("paymentType"), paymentTypes)
  return paymentType === null ? [] : [{ amount, paymentType }]
}

const readLabels = (field: Field): ReadonlyArray<string> => {
  const labels: Array<string> = []
  readList(field, listLimits.labels).forEach((label, index) => {
    if (typeof label === "string") labels.push(label)
    else field.faults.add(`${field.path}[${index}]`, rejectionCode.invalidFormat)
  })
  return labels
}

const readItem = (value: unknown, index: number, faults: ModelState): ReadonlyArray<RequestedItem> => {
  const path = `items[${index}]`
  const object = JsonObject.from(value)
  if (object === null) {
    faults.add(path, rejectionCode.invalidFormat)
    return []
  }
  const field = (name: string): Field => ({ object, name, path: `${path}.${name}`, faults })
  return [{
    gtin: readGtin(field("gtin")),
    name: readRequiredText(field("name"), 2048),
    quantity: readDecimal(field("quantity"), quantityBounds),
    unitPrice: readDecimal(field("unitPrice"), priceBounds),
    labels: readLabels(field("labels")),
    totalAmount: readDecimal(field("totalAmount"), priceBounds)
  }]
}

const readReference = (field: (name: string) => Field) => {
  const number = field("referentDocumentNumber")
  const referentDocumentNumber = readOptionalText(number, 50)
  if (referentDocumentNumber !== null && referentDocumentNumber !== "" && !referencePattern.test(referentDocumentNumber)) {
    number.faults.add(number.path, rejectionCode.invalidFormat)
  }
  return { referentDocumentNumber, referentDocumentDT: readOptionalTime(field("referentDocumentDT")) }
}

/** Copies and refunds must name number and time; elsewhere the two come together or not at all (V-PFR §2). */
const checkReferencePresence = (object: JsonObject, mustRefer: boolean, faults: ModelState): void => {
  const names = ["referentDocumentNumber", "referentDocumentDT"] as const
  const given = names.filter((name) => object.member(name) !== null)
  if (!mustRefer && given.length === 0) return
  for (const name of names) if (!given.includes(name)) faults.add(name, rejectionCode.required)
}

/** The signer writes the total into seven octets, in ten-thousandths (V-PFR §7.4). */
const checkTotal = (items: ReadonlyArray<RequestedItem>, faults: ModelState): void => {
  const total = items.reduce((sum, item) => sum + item.totalAmount, 0n)
  if (total * 100n >= 2n ** 56n) faults.add("items", rejectionCode.outOfRange)
}

const checkLabels = (items: ReadonlyArray<RequestedItem>, known: ReadonlySet<string>, faults: ModelState): void => {
  items.forEach((item, index) =>
    item.labels.forEach((label, position) => {
      if (!known.has(label)) faults.add(`items[${index}].labels[${position}]`, rejectionCode.taxLabelNotDefined)
    })
  )
}

const asRequest = (object: JsonObject, faults: ModelState, decimals: PaymentDecimals): InvoiceRequest => {
  const field = (name: string): Field => ({ object, name, path: name, faults })
  const options = JsonObject.from(object.member("options"))
  const invoiceType = readEnumerated(field("invoiceType"), invoiceTypes)
  const transactionType = readEnumerated(field("transactionType"), transactionTypes)
  const payment = readList(field("payment"), listLimits.payments).flatMap((value, index) => readPayment(value, index, faults, decimals))
  const items = readList(field("items"), listLimits.items).flatMap((value, index) => readItem(value, index, faults))
  checkReferencePresence(object, invoiceType === "Copy" || transactionType === "Refund", faults)
  return {
    dateAndTimeOfIssue: readOptionalTime(field("dateAndTimeOfIssue")),
    cashier: readOptionalText(field("cashier"), 50),
    buyerId: readOptionalText(field("buyerId"), 20),
    buyerCostCenterId: readOptionalText(field("buyerCostCenterId"), 50),
    // A missing type is recorded above and never signed; the placeholder only lets the other checks run.
    invoiceType: invoiceType ?? "Normal",
    transactionType: transactionType ?? "Sale",
    payment,
    invoiceNumber: readOptionalText(field("invoiceNumber"), 60),
    ...readReference(field),
    omitQRCodeGen: readOption(options, "omitQRCodeGen"),
    omitTextualRepresentation: readOption(options, "omitTextualRepresentation"),
    items
  }
}

/** Checks a parsed body as the V-PFR does and reports every fault with its property and codes (V-PFR §4). */
export const readInvoiceRequest = (body: unknown, knownLabels: KnownLabels, paymentDecimals: PaymentDecimals = 2): InvoiceRequestReading => {
  const faults = new ModelState()
  const object = JsonObject.from(body)
  if (object === null) {
    faults.add("", rejectionCode.invalidFormat)
    return { valid: false, errors: faults.errors() }
  }
  const request = asRequest(object, faults, paymentDecimals)
  checkTotal(request.items, faults)
  checkLabels(request.items, knownLabels(request), faults)
  return faults.isValid ? { valid: true, request } : { valid: false, errors: faults.errors() }
}
