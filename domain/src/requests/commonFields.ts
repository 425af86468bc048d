import { BigDecimal, Schema } from "effect"
import type { Metadata } from "../documents/DocumentContent.ts"
import { InvoiceType, TransactionType } from "../documents/InvoiceType.ts"
import { PaymentType } from "../documents/LineItem.ts"
import type { Buyer, Cashier } from "../parties/Buyer.ts"
import { buyerIdFault, buyerIdPattern, isCorporateCard, optionalFieldFault, optionalFieldPattern } from "../parties/BuyerId.ts"
import { serviceSource } from "../references/ReferencedDocument.ts"
import { isExternalReferenceNumber, maximumReferenceNumberLength } from "../references/externalReference.ts"
import { BusinessPremiseId, type FiscalDocumentId, TaxpayerId } from "../tenancy/identifiers.ts"
import { externalReferenceNumber } from "../verification/pfrCodes.ts"
import { faultAt } from "./Fault.ts"
import { requestTimeField } from "./RequestTime.ts"
import { isObject, listMember, member, textMember, UnrepresentableNumber } from "./bodyTree.ts"
import type { BodyRule } from "./decodeRequest.ts"
import {
  codePoints, dinarsField, listField, noControlCharacters, optional, paymentAmountField, paymentBounds, textFault, textField, uuidField
} from "./fields.ts"

/** The caller's order, invoice or transaction (Spec, fiscal-documents; bounds: Decisions §1). */
export const clientReferenceField = textField(200).annotate({
  description: "Your order, invoice or transaction reference; searchable, need not be unique."
})

/** Free text under the fiscal part; the only text that may hold newlines (Spec, Limits; Decisions §1). */
export const commercialFooterField = textField(2000, { newlines: true }).annotate({
  description: "Free text under the fiscal part, never inside it. Newlines may be LF or CRLF; they are kept as LF."
})

/** Bounds of metadata, lengths in characters (Decisions §1). */
const metadataBounds = { keys: 50, keyLength: 64, valueLength: 500 }

const valueFault = (value: unknown): string | undefined => {
  if (value === null || typeof value === "boolean" || value === "" || BigDecimal.isBigDecimal(value)) return undefined
  if (typeof value === "string") return textFault(value, metadataBounds.valueLength)
  return value instanceof UnrepresentableNumber
    ? "must be a number of at most 15 significant digits"
    : "must be a text, a number, true, false or null"
}

const keyFault = (key: string): string | undefined => {
  if (key === "") return "must have a name"
  if (codePoints(key) > metadataBounds.keyLength) return `must have a name of at most ${metadataBounds.keyLength} characters`
  const fault = textFault(key, metadataBounds.keyLength)
  return fault === undefined ? undefined : `has a name that ${fault}`
}

/** For a map far above its limit, the faults of the first members are enough. */
const mostJudged = 200

const metadataFaults = (metadata: Metadata): ReadonlyArray<Schema.FilterIssue> => {
  const entries = Object.entries(metadata)
  const tooMany = entries.length > metadataBounds.keys ? [`must have at most ${metadataBounds.keys} keys`] : []
  const each = entries.slice(0, mostJudged).flatMap(([key, value]) => {
    const fault = keyFault(key) ?? valueFault(value)
    return fault === undefined ? [] : [{ path: [key], issue: fault }]
  })
  return [...tooMany, ...each]
}

/**
 * The caller's own key-value pairs (Decisions §1). Declared as a check of its own and not as a record of schemas, so that every key, also
 * `__proto__`, is only data.
 */
export const metadataField = Schema.declare((node): node is Metadata => isObject(node), { expected: "an object" }).check(
  Schema.makeFilter(metadataFaults, {
    description: "Your key-value pairs: stored with the operation, never sent to the V-PFR, not on the receipt.",
    toJsonSchema: () => ({
      type: "object",
      maxProperties: metadataBounds.keys,
      propertyNames: { minLength: 1, maxLength: metadataBounds.keyLength, pattern: noControlCharacters },
      additionalProperties: {
        type: ["string", "number", "boolean", "null"],
        maxLength: metadataBounds.valueLength,
        pattern: noControlCharacters,
        description: "One value."
      }
    })
  })
)

/** The optional fields every fiscal mutation has in common (Decisions §5). */
export const optionalMutationFields = {
  clientReference: optional(clientReferenceField),
  commercialFooter: optional(commercialFooterField),
  metadata: optional(metadataField)
}

/** The same fields, where the caller must give its `clientReference`. */
export const mutationFields = { ...optionalMutationFields, clientReference: clientReferenceField }

/** Where a document is issued. */
export const placeFields = {
  taxpayerId: uuidField.annotate({ description: "The taxpayer that issues." }),
  businessPremiseId: uuidField.annotate({ description: "An active distance-commerce premise of that taxpayer." })
}

/** Identifiers are compared in lower case. */
export const toPlace = (body: { readonly taxpayerId: string; readonly businessPremiseId: string }) => ({
  taxpayerId: body.taxpayerId.toLowerCase() as TaxpayerId,
  businessPremiseId: body.businessPremiseId.toLowerCase() as BusinessPremiseId
})

/** The footer and metadata as stored. */
export const toPrintAndMetadata = (body: {
  readonly commercialFooter?: string | null
  readonly metadata?: Metadata | null
}) => ({ commercialFooter: body.commercialFooter?.replaceAll("\r\n", "\n") ?? null, metadata: body.metadata ?? null })

/** Source: Spec, Resources, Cashier; bounds: Decisions §1. */
export const cashierField = Schema.Struct({
  id: textField(50).annotate({ description: "Printed." }),
  displayName: optional(
    textField(100).annotate({
      description: "A name for your own records: stored with the document, not printed and not sent to the V-PFR."
    })
  )
}).annotate({ identifier: "Cashier", description: "The cashier printed on the receipt." })

/** The cashier as stored: what is absent is null. */
export const toCashier = (cashier: typeof cashierField.Type): Cashier => ({
  id: cashier.id,
  displayName: cashier.displayName ?? null
})

const buyerIdField = textField(20, { form: buyerIdFault, pattern: buyerIdPattern }).annotate({
  description: "`prefix:value`, e.g. `10:100000008`; visible ASCII, without spaces and diacritics."
})
const buyerOptionalField = textField(50, { form: optionalFieldFault, pattern: optionalFieldPattern }).annotate({
  description: "`prefix:value`; only on a Normal Sale."
})

/** Source: Spec, Resources, Buyer; forms: Decisions §1. */
export const buyerField = Schema.Struct({ id: optional(buyerIdField), optionalField: optional(buyerOptionalField) }).annotate({
  identifier: "Buyer",
  description: "The buyer, where the regulations require identification."
})

/** The buyer of a document that is not a Normal Sale. An optional field is read too, so that its refusal has its own message. */
const withoutOptionalField = <F extends Schema.Struct.Fields>(id: F, as: { readonly identifier: string; readonly description: string }) => ({
  published: Schema.Struct(id).annotate(as),
  read: Schema.Struct({ ...id, optionalField: optional(buyerOptionalField) })
})

/** The buyer of a refund: identified always (Spec, Refunds rule 3). */
export const identifiedBuyer = withoutOptionalField({ id: buyerIdField }, {
  identifier: "IdentifiedBuyer",
  description: "The buyer of a refund; identification is mandatory."
})

/** The buyer of an advance case. */
export const advanceBuyer = withoutOptionalField({ id: optional(buyerIdField) }, {
  identifier: "AdvanceBuyer",
  description: "The buyer of the case; an id is needed to cancel and to close."
})

/** The buyer of a proforma or training document. */
export const proformaTrainingBuyer = withoutOptionalField({ id: optional(buyerIdField) }, {
  identifier: "ProformaTrainingBuyer",
  description: "The buyer; `id` is required on a refund."
})

/** The buyer as stored; null when the request has none. */
export const toBuyer = (
  buyer: { readonly id?: string | null; readonly optionalField?: string | null } | null | undefined
): Buyer | null => {
  const id = buyer?.id ?? null
  const optionalField = buyer?.optionalField ?? null
  return id === null && optionalField === null ? null : { id, optionalField }
}

/** Refuses an optional field where the document is no Normal Sale (Spec, fiscal-documents rule 5). */
export const optionalFieldRefused = (document: string): BodyRule => (body) =>
  member(member(body, "buyer"), "optionalField") === undefined
    ? []
    : [faultAt(["buyer", "optionalField"], `is allowed only on a Normal Sale, not on ${document}`)]

/** A corporate card pays with vouchers alone (Decisions §1). `payments` names the list that pays the document. */
export const corporateCardPaysByVoucher = (payments: string): BodyRule => (body) => {
  const field = textMember(member(body, "buyer"), "optionalField")
  if (field === undefined || !isCorporateCard(field)) return []
  const types = listMember(body, payments).map((payment) => textMember(payment, "type"))
  return types.every((type) => type === undefined || type === "VOUCHER")
    ? []
    : [faultAt(["buyer", "optionalField"], "names a corporate card (50:), so every payment must be a VOUCHER")]
}

/** A document this service issued (Spec, Resources, ReferenceTarget). */
export const serviceReferenceField = Schema.Struct({
  source: Schema.Literal(serviceSource).annotate({ description: "A document of this service." }),
  fiscalDocumentId: uuidField.annotate({ description: "The service fills in its PFR facts." })
}).annotate({ identifier: "ServiceReference", description: "A document this service issued." })

/** A document of another ESIR, described by the caller. */
export const externalReferenceField = Schema.Struct({
  source: Schema.Literal("EXTERNAL").annotate({ description: "A document of another ESIR." }),
  pfrNumber: textField(maximumReferenceNumberLength, {
    form: (text) =>
      isExternalReferenceNumber(text) ? undefined : "must be an official number such as ABCD1234-ABCD1234-15",
    pattern: externalReferenceNumber.source
  }).annotate({ description: "Its receipt number." }),
  pfrTime: requestTimeField.annotate({ description: "Its PFR time, with an offset or Z." }),
  invoiceType: InvoiceType,
  transactionType: TransactionType
}).annotate({ identifier: "ExternalReference", description: "A document of another ESIR; only a copy may refer to one." })

/** Either of them, told apart by `source`. */
export const referenceField = Schema.Union([serviceReferenceField, externalReferenceField])

export interface ServiceReference {
  readonly source: typeof serviceSource
  readonly fiscalDocumentId: FiscalDocumentId
}

export interface ExternalReference {
  readonly source: "EXTERNAL"
  readonly pfrNumber: string
  /** As the caller wrote it: full form with offset or Z. */
  readonly pfrTime: string
  readonly invoiceType: InvoiceType
  readonly transactionType: TransactionType
}

/** The reference of a request, before any document was looked up. */
export type RequestedReference = ServiceReference | ExternalReference

/** @see {@link ServiceReference} */
export const toServiceReference = (reference: typeof serviceReferenceField.Type): ServiceReference => ({
  source: serviceSource,
  fiscalDocumentId: reference.fiscalDocumentId.toLowerCase() as FiscalDocumentId
})

export const toReference = (reference: typeof referenceField.Type | null | undefined): RequestedReference | null => {
  if (reference === null || reference === undefined) return null
  return reference.source === serviceSource ? toServiceReference(reference) : reference
}

const paymentField = Schema.Struct({
  type: PaymentType,
  amount: paymentAmountField.annotate({ description: "Dinars; more than two decimals are rejected by the V-PFR with code 2804." })
}).annotate({ identifier: "Payment", description: "One payment." })

/** 1 to 50 payments. The same type may occur more than once. */
export const paymentsField = listField(paymentField, paymentBounds)

const remainingPaymentField = Schema.Struct({
  type: PaymentType,
  amount: dinarsField.annotate({ description: "Dinars, at most two decimals." })
}).annotate({ identifier: "RemainingPayment", description: "One payment of the final sale of an advance case." })

/**
 * The payments of a closing's final sale. The V-PFR rejects an amount with more than two decimals, and by then the closing's Advance Refund is signed:
 * such an amount is refused before anything is (docs/adr/0125).
 */
export const remainingPaymentsField = listField(remainingPaymentField, paymentBounds)
