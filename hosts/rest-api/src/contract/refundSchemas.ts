import { decimal, integer, type JsonSchema, list, nullable, object, oneOfObjects, oneOfTexts, ref, text, utcTime, uuid } from "./JsonSchema.ts"

const workflowOf = (
  description: string,
  statuses: ReadonlyArray<string>,
  documents: Readonly<Record<"refund" | "cashRefundCopy", JsonSchema>>
): JsonSchema =>
  object(description, {
    id: uuid("The workflow."),
    taxpayerId: uuid("Who issued."),
    businessPremiseId: uuid("Where."),
    clientReference: text("The caller's reference."),
    status: oneOfTexts("Where the workflow stands.", statuses),
    original: ref("RefundOriginal"),
    ...documents,
    failureCode: nullable(ref("FailureCode")),
    createdAt: utcTime("When it was stored."),
    updatedAt: utcTime("When it last changed.")
  })

/** Refunds: answers. Source: Spec, refund-workflows; Decisions §5, Refund workflow. */
export const refundSchemas: Readonly<Record<string, JsonSchema>> = {
  RefundOriginal: object("The refunded receipt.", {
    source: oneOfTexts("A document of this service.", ["SVC"]),
    fiscalDocumentId: uuid("The receipt."),
    pfrNumber: text("Its number."),
    pfrTime: text("Its PFR time."),
    invoiceType: ref("InvoiceType"),
    transactionType: ref("TransactionType")
  }),
  RefundWorkflow: oneOfObjects("A refund and, when cash was given back, its signed copy.", "status", {
    COMPLETED: "CompletedRefund",
    FAILED: "FailedRefund",
    REFUND_PENDING: "OpenRefund",
    REFUND_OUTCOME_UNKNOWN: "OpenRefund",
    COPY_PENDING: "OpenRefund",
    COPY_OUTCOME_UNKNOWN: "OpenRefund"
  }),
  CompletedRefund: workflowOf("The refund is a receipt, and so is its copy where cash was given back.", ["COMPLETED"], {
    refund: ref("FiscalizedDocument"),
    cashRefundCopy: nullable(ref("FiscalizedDocument"))
  }),
  FailedRefund: workflowOf("No refund was issued, and none will be under this key.", ["FAILED"], {
    refund: { oneOf: [ref("RejectedDocument"), ref("NotFiscalizedDocument")], description: "The refund that was not issued." },
    cashRefundCopy: { type: "null", description: "There is none." }
  }),
  OpenRefund: workflowOf("Not completed, or not known yet: the refund exists or may exist. The same request with the same key carries it on, with one exception: COPY_PENDING with the failureCode PFR_VALIDATION_REJECTED. There the refund is valid, its copy was rejected, and an operator has the copy sent again; repeating changes nothing, and another key would give the money back twice.", [
    "REFUND_PENDING",
    "REFUND_OUTCOME_UNKNOWN",
    "COPY_PENDING",
    "COPY_OUTCOME_UNKNOWN"
  ], { refund: ref("FiscalDocument"), cashRefundCopy: nullable(ref("FiscalDocument")) }),
  Refundable: object("What of a receipt can still be given back.", {
    fiscalDocumentId: uuid("The receipt."),
    lines: list("By line of the original.", object("One line.", {
      originalLineIndex: integer("Index of the line.", { minimum: 0 }),
      quantity: decimal("Quantity still refundable."),
      amount: decimal("Money still refundable, dinars."),
      heldBy: list("Refunds whose outcome is open.", object("One of them.", {
        workflowId: uuid("The workflow."),
        quantity: decimal("Quantity it holds."),
        amount: decimal("Money it holds.")
      })),
      item: nullable(ref("RefundItem"))
    }))
  })
}
