import { ProformaTrainingStatus } from "@overa/domain"
import { type JsonSchema, nullable, object, oneOfTexts, ref, text, utcTime, uuid } from "@overa/host-kit/contract"

/** Proforma and training documents. Source: Spec, Operations known by name only; Decisions §5, Proforma and training. */
export const proformaTrainingSchemas: Readonly<Record<string, JsonSchema>> = {
  ProformaTrainingSource: object("The document that a refund gives back.", {
    source: oneOfTexts("The service issued it.", ["SVC"]),
    fiscalDocumentId: uuid("The document."),
    pfrNumber: text("Its number."),
    pfrTime: text("Its PFR time."),
    invoiceType: ref("InvoiceType"),
    transactionType: ref("TransactionType")
  }),
  ProformaTrainingWorkflow: object("A proforma or training document with its life. It is not a receipt for the buyer.", {
    id: uuid("The workflow."),
    taxpayerId: uuid("The taxpayer that issued the document."),
    businessPremiseId: uuid("The premise it was issued in."),
    clientReference: text("The caller's reference."),
    status: oneOfTexts("COMPLETED: signed. PENDING: not sent. OUTCOME_UNKNOWN: may have been signed. FAILED: rejected.", ProformaTrainingStatus.literals),
    document: ref("FiscalDocument"),
    source: nullable(ref("ProformaTrainingSource")),
    failureCode: nullable(ref("FailureCode")),
    createdAt: utcTime("When it was stored."),
    updatedAt: utcTime("When it last changed.")
  })
}
