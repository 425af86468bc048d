import { Result, Schema } from "effect"
import type { Metadata } from "../documents/DocumentContent.ts"
import { InvoiceType, TransactionType } from "../documents/InvoiceType.ts"
import type { LineItem, Payment } from "../documents/LineItem.ts"
import type { Buyer, Cashier } from "../parties/Buyer.ts"
import { serviceSource } from "../references/ReferencedDocument.ts"
import type { Environment } from "../tenancy/Environment.ts"
import type { BusinessPremiseId, TaxpayerId } from "../tenancy/identifiers.ts"
import { member, textMember } from "./bodyTree.ts"
import {
  cashierField, mutationFields, optionalFieldRefused, paymentsField, placeFields, proformaTrainingBuyer, referenceField, type RequestedReference,
  serviceReferenceField, toBuyer, toCashier, toPlace, toPrintAndMetadata, toReference
} from "./commonFields.ts"
import { type BodyRule, requestDecoder } from "./decodeRequest.ts"
import { faultAt, type RequestFaults } from "./Fault.ts"
import { itemRules, itemsField, toLineItem, totalsRule } from "./itemsField.ts"
import { issuedBy } from "./FiscalDocumentRequest.ts"
import { optional } from "./fields.ts"

/** The body of `POST /v1/proforma-training-workflows`. Source: Decisions §5, Proforma and training. */
export const ProformaTrainingShape = Schema.Struct({
  ...placeFields,
  ...mutationFields,
  invoiceType: InvoiceType.pick(["PROFORMA", "TRAINING"]).annotate({ description: "Kind of document." }),
  transactionType: TransactionType,
  cashier: cashierField,
  buyer: optional(proformaTrainingBuyer.published),
  items: itemsField.annotate({ description: "The lines." }),
  payments: paymentsField.annotate({ description: "Must sum to exactly the total of the items." }),
  reference: optional(serviceReferenceField).annotateKey({
    description: "The sale that a refund gives back; required on a refund, refused on a sale."
  })
}).annotate({
  identifier: "ProformaTrainingRequest",
  description: "A proforma or training document. A refund repeats every item of its source, in order."
})

/** The shape as read. Kinds of other operations, and members that such a document may not have, are refused by rules with their own message or code. */
const ReadShape = Schema.Struct({
  ...ProformaTrainingShape.fields,
  invoiceType: InvoiceType,
  buyer: optional(proformaTrainingBuyer.read),
  reference: optional(referenceField)
})

/** A proforma or training document to issue. A refund has a SVC reference and an identified buyer; a sale's is refused later. */
export interface ProformaTrainingRequest {
  readonly taxpayerId: TaxpayerId
  readonly businessPremiseId: BusinessPremiseId
  readonly clientReference: string
  readonly invoiceType: "PROFORMA" | "TRAINING"
  readonly transactionType: TransactionType
  readonly cashier: Cashier
  readonly buyer: Buyer | null
  readonly items: ReadonlyArray<LineItem>
  readonly payments: ReadonlyArray<Payment>
  readonly reference: RequestedReference | null
  readonly commercialFooter: string | null
  readonly metadata: Metadata | null
}

const onlyProformaAndTraining: BodyRule = (body) => {
  const invoiceType = textMember(body, "invoiceType")
  if (invoiceType === "PROFORMA" || invoiceType === "TRAINING") return []
  const operation = issuedBy(invoiceType, textMember(body, "transactionType"))
  return operation === undefined
    ? []
    : [faultAt(["invoiceType"], `must be PROFORMA or TRAINING here; ${invoiceType} is issued by ${operation}`)]
}

/** A refund names its sale and its buyer (Spec, Refunds rule 3; Decisions §5). */
const refundNamesItsSale: BodyRule = (body) => {
  if (textMember(body, "transactionType") !== "REFUND") return []
  const reference = member(body, "reference")
  const noReference = reference === undefined ? [faultAt(["reference"], "is required on a refund: the sale it gives back")] : []
  const foreign = textMember(reference, "source") === "EXTERNAL"
    ? [faultAt(["reference", "source"], `must be ${serviceSource}: only documents issued here are refunded here`)]
    : []
  const noBuyer = member(member(body, "buyer"), "id") === undefined
    ? [faultAt(["buyer", "id"], "is required on a refund")]
    : []
  return [...noReference, ...foreign, ...noBuyer]
}

const decode = requestDecoder(ReadShape)

export const decodeProformaTrainingRequest = (
  body: unknown,
  context: { readonly environment: Environment }
): Result.Result<ProformaTrainingRequest, RequestFaults> =>
  Result.map(
    decode(body, [
      onlyProformaAndTraining,
      optionalFieldRefused("any other document"),
      refundNamesItsSale,
      itemRules(context.environment),
      totalsRule
    ]),
    (request) => ({
      ...toPlace(request),
      clientReference: request.clientReference,
      // The first rule has already checked it.
      invoiceType: request.invoiceType as "PROFORMA" | "TRAINING",
      transactionType: request.transactionType,
      cashier: toCashier(request.cashier),
      buyer: toBuyer(request.buyer),
      items: request.items.map(toLineItem(context.environment)),
      payments: request.payments,
      reference: toReference(request.reference),
      ...toPrintAndMetadata(request)
    })
  )
