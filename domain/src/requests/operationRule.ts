import { member, textMember } from "./bodyTree.ts"
import type { BodyRule } from "./decodeRequest.ts"
import { faultAt } from "./Fault.ts"

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
        "is not accepted here; an advance paid earlier is told by paymentOccurredAt of POST /v1/advance-cases/{id}/payments"
      )
    ]
