import {
  type BuyerDetails, DocumentStatus, FailureCode, type FiscalDocument, InvoiceType, PaperFormat, PaymentType, pfrNumberForm, type PfrResult, TransactionType
} from "@overa/domain"
import { jsonNumber, utcTime as utcText } from "../json/scalars.ts"
import { answer, type Member, type Members, orNull, schemasOf, writerOf } from "./answer.ts"
import { always, decimal, flag, integer, type JsonSchema, list, nullable, object, oneOfObjects, oneOfTexts, ref, text, utcTime, uuid } from "./JsonSchema.ts"
import { shapeSchemas } from "./shapeSchemas.ts"

const nothing = (description: string): JsonSchema => ({ type: "null", description })

const pfrResult = answer<PfrResult>("What the V-PFR signed.", {
  invoiceNumber: [text("Official receipt number: `<JID>-<JID>-<total counter>`.", { pattern: pfrNumberForm.source }), (pfr) => pfr.invoiceNumber],
  sdcTime: [
    text("The V-PFR's signing time, digits and offset exactly as the V-PFR wrote them; the official receipt time.", { format: "date-time" }),
    (pfr) => pfr.sdcTime
  ],
  requestedBy: [text("JID of the element that requested the signature."), (pfr) => pfr.requestedBy],
  signedBy: [text("JID of the element that signed."), (pfr) => pfr.signedBy],
  transactionTypeCounter: [nullable(integer("Left half of the printed counter.")), (pfr) => pfr.transactionTypeCounter],
  totalCounter: [nullable(integer("Right half of the printed counter.")), (pfr) => pfr.totalCounter],
  invoiceCounterExtension: [
    nullable(text("Official document mark after the counter: ПП, ПР, АП, АР, КП, КР, ОП, ОР, РП, РР.")),
    (pfr) => pfr.invoiceCounterExtension
  ],
  totalAmount: [decimal("Total the V-PFR signed, dinars."), (pfr) => jsonNumber(pfr.totalAmount)],
  totalTax: orNull(decimal("Exact sum of the signed tax amounts, dinars."), (pfr) => pfr.totalTax, (total) => jsonNumber(total)),
  verificationUrl: [text("The tax authority's verification link, the one in the QR code.", { format: "uri" }), (pfr) => pfr.verificationUrl],
  journal: [text("The official receipt text; may be shown or printed unchanged."), (pfr) => pfr.journal]
})

/** The receipt in one of its representations. */
const representation = (name: string): Member<FiscalDocument> => [
  text(name, { format: "uri-reference" }),
  ({ id }) => `/v1/fiscal-documents/${id}/representations/${name}`
]

const receipt = answer<FiscalDocument>("Where the receipt can be fetched in each form; relative to the base address.", {
  textUrl: representation("official-text"),
  jsonUrl: representation("canonical-json"),
  pdfA4Url: representation("pdf-a4"),
  pdf80mmUrl: representation("pdf-80mm"),
  pdf58mmUrl: representation("pdf-58mm"),
  previewImageUrl: representation("preview-png"),
  qrImageUrl: representation("qr-svg"),
  verificationUrl: [text("The tax authority's verification link.", { format: "uri" }), ({ pfr }) => pfr?.verificationUrl],
  preferredPaperFormat: [ref("PaperFormat"), ({ preferredPaperFormat }) => preferredPaperFormat]
})

const buyerDetails = answer<BuyerDetails>("What the national company register knew about a domestic buyer at issuance.", {
  legalName: [text("Registered name.", { maxLength: 350 }), (details) => details.legalName],
  taxIdentifier: [text("Nine digits.", { pattern: "^\\d{9}$" }), (details) => details.taxIdentifier],
  registrationNumber: [nullable(text("Eight digits.", { pattern: "^\\d{8}$" })), (details) => details.registrationNumber],
  address: [nullable(text("Street and number.", { maxLength: 300 })), (details) => details.address],
  city: [nullable(text("City.", { maxLength: 100 })), (details) => details.city],
  source: [oneOfTexts("The register that answered.", ["NBS"]), (details) => details.source],
  resolvedAt: [utcTime("When it answered."), (details) => utcText(details.resolvedAt)]
})

const reference = answer<NonNullable<FiscalDocument["reference"]>>("The document this one refers to, with the facts that went to the V-PFR.", {
  fiscalDocumentId: [uuid("Absent for a document of another ESIR."), ({ fiscalDocumentId }) => fiscalDocumentId ?? undefined],
  pfrNumber: [text("Its receipt number."), ({ pfrNumber }) => pfrNumber],
  pfrTime: [text("Its PFR time.", { format: "date-time" }), ({ pfrTime }) => pfrTime]
}, ["fiscalDocumentId"])

/** The schema of a member whose values follow from the status: each kind of document has its own. */
const byStatus: JsonSchema = {}

/** A document as the contract writes it. Source: Spec, Resources, FiscalDocument; absent where it does not apply (Decisions §5, Values). */
const documentMembers: Members<FiscalDocument> = {
  id: [uuid("The document; also its operation's identifier."), (document) => document.id],
  taxpayerId: [uuid("Who issues."), (document) => document.taxpayerId],
  businessPremiseId: [uuid("Where."), (document) => document.businessPremiseId],
  idempotencyKey: [text("The key the request carried."), (document) => document.idempotencyKey],
  clientReference: [text("The caller's order or invoice reference."), (document) => document.clientReference],
  invoiceType: [ref("InvoiceType"), (document) => document.invoiceType],
  transactionType: [ref("TransactionType"), (document) => document.transactionType],
  cashierId: [text("The cashier printed on the receipt."), (document) => document.cashierId],
  buyerId: [nullable(text("`prefix:value`.")), (document) => document.buyerId],
  buyerDetails: orNull(ref("BuyerDetails"), (document) => document.buyerDetails, buyerDetails.write),
  status: [byStatus, (document) => document.status],
  fiscalized: [byStatus, (document) => document.fiscalized],
  failureCode: [byStatus, (document) => document.failureCode],
  pfrRejection: [ref("PfrRejection"), (document) => document.pfrRejection ?? undefined],
  retryable: [byStatus, (document) => document.retryable],
  pfr: [byStatus, (document) => document.pfr === null ? null : pfrResult.write(document.pfr)],
  receipt: [byStatus, (document) => document.pfr === null || document.preferredPaperFormat === null ? null : receipt.write(document)],
  reference: [ref("ResolvedReference"), (document) => document.reference === null ? undefined : reference.write(document.reference)],
  createdAt: [utcTime("When the operation was stored."), (document) => utcText(document.createdAt)],
  updatedAt: [utcTime("When it last changed."), (document) => utcText(document.updatedAt)]
}

export const fiscalDocumentJson = writerOf(documentMembers)

/** A document with one of several statuses. What follows from the status has fixed values, so that a program that has checked the status knows them. */
const documentOf = (
  description: string,
  statuses: ReadonlyArray<string>,
  decided: Readonly<Record<"fiscalized" | "failureCode" | "retryable" | "pfr" | "receipt", JsonSchema>>,
  isRejected = false
): JsonSchema => {
  const { pfrRejection, ...members } = schemasOf(documentMembers)
  const always = { ...members, status: oneOfTexts("Where the document stands.", statuses), ...decided }
  return isRejected
    ? object(description, { ...always, pfrRejection: pfrRejection ?? byStatus }, ["pfrRejection", "reference"])
    : object(description, always, ["reference"])
}

const noReceipt = {
  fiscalized: always("No receipt exists.", false),
  pfr: nothing("There is none."),
  receipt: nothing("There is none.")
}
const notRetryable = always("Repeating it cannot help.", false)

/** A document by its status. Source: Spec, Document statuses. */
const fiscalDocumentSchemas: Readonly<Record<string, JsonSchema>> = {
  FiscalDocument: oneOfObjects("A fiscal document. It is a receipt only when `status` is FISCALIZED.", "status", {
    FISCALIZED: "FiscalizedDocument",
    REJECTED: "RejectedDocument",
    NOT_FISCALIZED: "NotFiscalizedDocument",
    OUTCOME_UNKNOWN: "UnresolvedDocument",
    RECONCILING: "UnresolvedDocument",
    RECEIVED: "DocumentInProgress",
    VALIDATED: "DocumentInProgress",
    SUBMITTING: "DocumentInProgress"
  }),
  FiscalizedDocument: documentOf("A receipt: the V-PFR signed it and the service stored it.", ["FISCALIZED"], {
    fiscalized: always("The receipt exists.", true),
    failureCode: nothing("Nothing failed."),
    retryable: always("It is done.", false),
    pfr: ref("PfrResult"),
    receipt: ref("ReceiptRepresentations")
  }),
  RejectedDocument: documentOf(
    "The V-PFR rejected the request: no receipt exists and none will. A corrected request needs a new key.",
    ["REJECTED"],
    { ...noReceipt, failureCode: oneOfTexts("Why.", ["PFR_VALIDATION_REJECTED"]), retryable: notRetryable },
    true
  ),
  NotFiscalizedDocument: documentOf("Nothing was signed. Where `retryable` is true, the same request with the same key drives it again.", ["NOT_FISCALIZED"], {
    ...noReceipt,
    failureCode: oneOfTexts("Why.", [
      "PFR_UNAVAILABLE",
      "PFR_SECURITY_ELEMENT_UNAVAILABLE",
      "PFR_SUBMISSION_CANCELLED_BEFORE_SEND",
      "OPERATOR_CONFIRMED_NOT_ISSUED",
      "ADVANCE_REFUND_NOT_FISCALIZED"
    ]),
    retryable: flag("True: nothing was sent; repeat the same request with the same key.")
  }),
  UnresolvedDocument: documentOf(
    "It is not known whether a receipt exists; one may. Send nothing new for this sale and read the operation until it is known.",
    ["OUTCOME_UNKNOWN", "RECONCILING"],
    { ...noReceipt, fiscalized: always("No receipt is known.", false), failureCode: oneOfTexts("Why.", ["OUTCOME_UNKNOWN", "PFR_SUBMISSION_FAULT"]), retryable: notRetryable }
  ),
  DocumentInProgress: documentOf("It is being issued at this moment.", ["RECEIVED", "VALIDATED", "SUBMITTING"], {
    ...noReceipt,
    fiscalized: always("No receipt is known yet.", false),
    failureCode: nothing("Nothing failed so far."),
    retryable: always("Wait for its outcome.", false)
  })
}

/** The answers of fiscal operations. Source: Spec, Resources; Decisions §5. */
export const documentSchemas: Readonly<Record<string, JsonSchema>> = {
  ...shapeSchemas([InvoiceType, TransactionType, PaymentType]),
  PaperFormat: oneOfTexts("The paper a receipt is printed on.", PaperFormat.literals),
  DocumentStatus: oneOfTexts("Where the document stands. FISCALIZED is the only status that is a receipt.", DocumentStatus.literals),
  FailureCode: oneOfTexts("Why the document is not a receipt.", FailureCode.literals),
  PfrRejection: object("Which fields of the request the V-PFR refused, and why.", {
    items: list("At most ten.", object("One refused field.", {
      property: text("Path of the field in the caller's request, e.g. `items[0].taxLabels[0]`.", { maxLength: 120 }),
      codes: list("V-PFR rejection codes, in its order.", text("One code, e.g. `2804`."), { maxItems: 5 })
    }), { maxItems: 10 })
  }),
  PfrResult: pfrResult.schema,
  ReceiptRepresentations: receipt.schema,
  BuyerDetails: buyerDetails.schema,
  ResolvedReference: reference.schema,
  ...fiscalDocumentSchemas,
  Transition: object("One transition of the document.", {
    from: nullable(ref("DocumentStatus")),
    to: ref("DocumentStatus"),
    at: utcTime("When."),
    cause: text("What happened.")
  }),
  WorkflowLink: object("The workflow a document is part of.", {
    type: oneOfTexts("Kind of workflow.", ["REFUND", "ADVANCE", "PROFORMA_TRAINING"]),
    id: uuid("The workflow.")
  }),
  Operation: object("The durable record behind a document: what happened, whether a receipt exists, what to do next.", {
    id: uuid("The operation; also its document's identifier."),
    kind: text("Type pair of the document, e.g. NORMAL_SALE.", { pattern: "^(NORMAL|COPY|ADVANCE|PROFORMA|TRAINING)_(SALE|REFUND)$" }),
    status: ref("DocumentStatus"),
    fiscalized: flag("True only when a receipt exists."),
    retryable: flag("True: repeat the same request with the same key."),
    failureCode: nullable(ref("FailureCode")),
    summary: text("One sentence: what happened, whether a receipt exists, what to do next."),
    workflow: nullable(ref("WorkflowLink")),
    nextCheckAt: nullable(utcTime("When the service asks the V-PFR next.")),
    transitions: list("Every transition so far, oldest first.", ref("Transition")),
    document: ref("FiscalDocument")
  })
}
