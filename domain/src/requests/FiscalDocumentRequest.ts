import { Result, Schema } from "effect"
import type { Metadata } from "../documents/DocumentContent.ts"
import { InvoiceType, TransactionType } from "../documents/InvoiceType.ts"
import type { LineItem, Payment } from "../documents/LineItem.ts"
import type { Buyer, Cashier } from "../parties/Buyer.ts"
import type { Environment } from "../tenancy/Environment.ts"
import type { BusinessPremiseId, TaxpayerId } from "../tenancy/identifiers.ts"
import { faultAt, RequestFaults } from "./Fault.ts"
import { requestTimeField } from "./RequestTime.ts"
import { member, textMember } from "./bodyTree.ts"
import {
  buyerField, cashierField, corporateCardPaysByVoucher, type ExternalReference, mutationFields, optionalFieldRefused, paymentsField, placeFields,
  referenceField, type RequestedReference, toBuyer, toCashier, toPlace, toPrintAndMetadata, toReference
} from "./commonFields.ts"
import { type BodyRule, requestDecoder } from "./decodeRequest.ts"
import { optional } from "./fields.ts"
import { itemRules, itemsField, toLineItem, totalsRule } from "./itemsField.ts"

/** The body of `POST /v1/fiscal-documents`. Source: Spec, fiscal-documents. */
export const FiscalDocumentShape = Schema.Struct({
  ...placeFields,
  ...mutationFields,
  invoiceType: InvoiceType.pick(["NORMAL", "COPY"]).annotate({ description: "NORMAL; COPY only with an EXTERNAL reference." }),
  transactionType: TransactionType,
  cashier: cashierField,
  items: itemsField.annotate({ description: "The lines." }),
  payments: paymentsField.annotate({ description: "Must sum to exactly the total of the items." }),
  buyer: optional(buyerField),
  reference: optional(referenceField).annotateKey({ description: "Only for a copy." })
}).annotate({ identifier: "FiscalDocumentRequest", description: "A Normal Sale, or a COPY of another ESIR's document." })

/** The shape as read. Kinds that other operations issue, and the time that no sale may have, are refused by rules that name the right place. */
const ReadShape = Schema.Struct({
  ...FiscalDocumentShape.fields,
  invoiceType: InvoiceType,
  transactionOccurredAt: optional(requestTimeField)
})

interface Issued {
  readonly taxpayerId: TaxpayerId
  readonly businessPremiseId: BusinessPremiseId
  readonly clientReference: string
  readonly cashier: Cashier
  readonly buyer: Buyer | null
  readonly items: ReadonlyArray<LineItem>
  readonly payments: ReadonlyArray<Payment>
  readonly commercialFooter: string | null
  readonly metadata: Metadata | null
}

/** A Normal Sale to issue. A reference is kept so that it can be refused by its own code (Decisions §5, Copies). */
export interface NormalSale extends Issued {
  readonly _tag: "NormalSale"
  readonly invoiceType: "NORMAL"
  readonly transactionType: "SALE"
  readonly reference: RequestedReference | null
}

/** A copy of a document that another ESIR issued (Decisions §5, Copies). */
export interface ExternalCopy extends Issued {
  readonly _tag: "ExternalCopy"
  readonly invoiceType: "COPY"
  readonly transactionType: TransactionType
  readonly reference: ExternalReference
}

const refusedElsewhere = optionalFieldRefused("any other document")
const corporateCard = corporateCardPaysByVoucher("payments")

const buyerRule: BodyRule = (body) => {
  const invoiceType = textMember(body, "invoiceType")
  const transactionType = textMember(body, "transactionType")
  if (invoiceType === undefined || transactionType === undefined) return []
  return invoiceType === "NORMAL" && transactionType === "SALE" ? corporateCard(body) : refusedElsewhere(body)
}

const decode = requestDecoder(ReadShape)

/**
 * Reads the body of `POST /v1/fiscal-documents`, or reports everything the body alone decides to be wrong with it.
 *
 * @param body The JSON tree with decimals for numbers.
 */
export const decodeFiscalDocumentRequest = (
  body: unknown,
  context: { readonly environment: Environment }
): Result.Result<NormalSale | ExternalCopy, RequestFaults> =>
  Result.map(
    decode(body, [
      operationRule,
      externalCopyRule,
      buyerRule,
      transactionOccurredAtRule,
      itemRules(context.environment),
      totalsRule
    ]),
    toRequest(context.environment)
  )

const toRequest = (environment: Environment) => (body: typeof ReadShape.Type): NormalSale | ExternalCopy => {
  const issued: Issued = {
    ...toPlace(body),
    clientReference: body.clientReference,
    cashier: toCashier(body.cashier),
    buyer: toBuyer(body.buyer),
    items: body.items.map(toLineItem(environment)),
    payments: body.payments,
    ...toPrintAndMetadata(body)
  }
  const reference = toReference(body.reference)
  return body.invoiceType === "COPY" && reference?.source === "EXTERNAL"
    ? { ...issued, _tag: "ExternalCopy", invoiceType: "COPY", transactionType: body.transactionType, reference }
    : { ...issued, _tag: "NormalSale", invoiceType: "NORMAL", transactionType: "SALE", reference }
}

/** Reads a Normal Sale; a copy of another ESIR's document is a fault here. @see {@link decodeFiscalDocumentRequest} */
export const decodeNormalSale = (
  body: unknown,
  context: { readonly environment: Environment }
): Result.Result<NormalSale, RequestFaults> =>
  Result.flatMap(decodeFiscalDocumentRequest(body, context), (request) =>
    request._tag === "NormalSale"
      ? Result.succeed(request)
      : Result.fail(new RequestFaults({ faults: [faultAt(["invoiceType"], "must be NORMAL")] })))

/** Where each kind of document is issued (Spec, Document types and the operations that issue them). */
const operationOf: Readonly<Record<string, string>> = {
  "NORMAL SALE": "POST /v1/fiscal-documents",
  "NORMAL REFUND": "POST /v1/refund-workflows",
  "ADVANCE SALE": "POST /v1/advance-cases/{id}/payments",
  "ADVANCE REFUND": "POST /v1/advance-cases/{id}/cancellations or POST /v1/advance-cases/{id}/closing",
  "PROFORMA SALE": "POST /v1/proforma-training-workflows",
  "PROFORMA REFUND": "POST /v1/proforma-training-workflows",
  "TRAINING SALE": "POST /v1/proforma-training-workflows",
  "TRAINING REFUND": "POST /v1/proforma-training-workflows",
  "COPY SALE": "POST /v1/fiscal-documents/{id}/copies",
  "COPY REFUND": "POST /v1/fiscal-documents/{id}/copies"
}

/** The operation that issues a kind of document; undefined where the pair is none. */
export const issuedBy = (invoiceType: string | undefined, transactionType: string | undefined): string | undefined =>
  operationOf[`${invoiceType} ${transactionType}`]

/** `POST /v1/fiscal-documents` issues Normal Sales, and copies of another ESIR's documents; the rest has its own operation. */
export const operationRule: BodyRule = (body) => {
  const invoiceType = textMember(body, "invoiceType")
  const transactionType = textMember(body, "transactionType")
  const operation = issuedBy(invoiceType, transactionType)
  const isExternalCopy = invoiceType === "COPY" && textMember(member(body, "reference"), "source") === "EXTERNAL"
  const isNormalSale = invoiceType === "NORMAL" && transactionType === "SALE"
  if (operation === undefined || isExternalCopy || isNormalSale) return []
  const exception = invoiceType === "COPY" ? "; only a copy with an EXTERNAL reference is issued here" : ""
  return [faultAt(["invoiceType"], `of this transactionType is issued by ${operation}${exception}`)]
}

/**
 * A copy of another ESIR's document says of which: a NORMAL or ADVANCE document of the same transaction type (Decisions §5, Copies).
 */
export const externalCopyRule: BodyRule = (body) => {
  const reference = member(body, "reference")
  if (textMember(body, "invoiceType") !== "COPY" || textMember(reference, "source") !== "EXTERNAL") return []
  const ofInvoiceType = textMember(reference, "invoiceType")
  const ofTransactionType = textMember(reference, "transactionType")
  const transactionType = textMember(body, "transactionType")
  return [
    ...(ofInvoiceType === "COPY" || ofInvoiceType === "PROFORMA" || ofInvoiceType === "TRAINING"
      ? [faultAt(["reference", "invoiceType"], "must be NORMAL or ADVANCE; other documents cannot be copied")]
      : []),
    ...(ofTransactionType !== undefined && transactionType !== undefined && ofTransactionType !== transactionType
      ? [faultAt(["reference", "transactionType"], "must equal the transactionType of the copy")]
      : [])
  ]
}

/** A Normal Sale happens when it is signed: only an advance can have been paid earlier (Decisions §1, last bullet). */
export const transactionOccurredAtRule: BodyRule = (body) =>
  member(body, "transactionOccurredAt") === undefined
    ? []
    : [
      faultAt(
        ["transactionOccurredAt"],
        "is not accepted here; the time of an advance paid earlier is given by paymentOccurredAt of POST /v1/advance-cases/{id}/payments"
      )
    ]
