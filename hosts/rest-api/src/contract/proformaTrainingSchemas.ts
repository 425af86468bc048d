import { ProformaTrainingStatus } from "@overa/domain"
import { type JsonSchema, list, nullable, object, oneOfTexts, ref, text, utcTime, uuid } from "./JsonSchema.ts"
import { clientReference, commercialFooter, metadata } from "./requestSchemas.ts"

/** Proforma and training documents. Source: Spec, Operations known by name only; Decisions §5, Proforma and training. */
export const proformaTrainingSchemas: Readonly<Record<string, JsonSchema>> = {
  ProformaTrainingRequest: object("A proforma or training document. A refund repeats every item of its source, in order.", {
    taxpayerId: uuid("The taxpayer that issues the document."),
    businessPremiseId: uuid("An active distance-commerce premise of that taxpayer."),
    clientReference,
    invoiceType: oneOfTexts("Kind of document.", ["PROFORMA", "TRAINING"]),
    transactionType: ref("TransactionType"),
    cashier: ref("Cashier"),
    buyer: nullable(ref("ProformaTrainingBuyer")),
    items: list("The lines.", ref("LineItem"), { minItems: 1, maxItems: 1_000 }),
    payments: list("Must sum to exactly the total of the items.", ref("Payment"), { minItems: 1, maxItems: 50 }),
    reference: {
      oneOf: [ref("ServiceReference"), { type: "null" }],
      description: "The sale that a refund gives back; required on a refund, refused on a sale."
    },
    commercialFooter,
    metadata
  }, ["buyer", "reference", "commercialFooter", "metadata"]),
  ProformaTrainingBuyer: object("The buyer; `id` is required on a refund.", {
    id: nullable(text("`prefix:value`, e.g. `20:123456789`.", { minLength: 1, maxLength: 20 }))
  }, ["id"]),
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
