import {
  type DocumentReference, failureCodeOf, type Operation, presentDocument, refundFailureCode, refundStatusOf, type StoredRefund
} from "@overa/domain"
import { DateTime } from "effect"
import { utcTime as utcText } from "@overa/host-kit"
import { answer, decimal, fiscalDocumentJson, integer, type JsonSchema, list, type Members, nullable, object, oneOfObjects, oneOfTexts, ref, schemasOf, text, utcTime, uuid, writerOf } from "@overa/host-kit/contract"

/** The documents from which the workflow's status follows. */
const documentsOf = ({ copy, copyId, refund }: StoredRefund) => ({
  refund: refund.status,
  copyDue: copyId !== null,
  copy: copy?.status ?? null
})

const original = answer<DocumentReference>("The refunded receipt.", {
  source: [oneOfTexts("A document of this service.", ["SVC"]), ({ source }) => source],
  fiscalDocumentId: [uuid("The receipt."), ({ fiscalDocumentId }) => fiscalDocumentId],
  pfrNumber: [text("Its number."), ({ pfrNumber }) => pfrNumber],
  pfrTime: [text("Its PFR time."), ({ pfrTime }) => pfrTime],
  invoiceType: [ref("InvoiceType"), ({ invoiceType }) => invoiceType],
  transactionType: [ref("TransactionType"), ({ transactionType }) => transactionType]
})

const originalOf = ({ refund }: StoredRefund): DocumentReference => {
  const { reference } = refund.content
  if (reference === null) throw new Error(`The refund ${refund.id} names no original.`)
  return reference
}

/** Rejections are shown of a single workflow and never in lists (Spec, Resources, FiscalDocument). */
const documentJson = (withRejection: boolean) => (operation: Operation) => fiscalDocumentJson(presentDocument(operation, { withRejection }))
const codeOf = ({ failureCode, status }: Operation) => failureCodeOf(status, failureCode)
const byStatus: JsonSchema = {}

/** A refund workflow as the contract writes it. Source: Spec, Resources, RefundWorkflow. */
const membersWith = (document: ReturnType<typeof documentJson>): Members<StoredRefund> => ({
  id: [uuid("The workflow."), ({ id }) => id],
  taxpayerId: [uuid("Who issued."), ({ refund }) => refund.taxpayerId],
  businessPremiseId: [uuid("Where."), ({ refund }) => refund.businessPremiseId],
  clientReference: [text("The caller's reference."), ({ refund }) => refund.content.clientReference],
  status: [byStatus, refundStatusOf],
  original: [ref("RefundOriginal"), (stored) => original.write(originalOf(stored))],
  refund: [byStatus, ({ refund }) => document(refund)],
  cashRefundCopy: [byStatus, ({ copy }) => copy === null ? null : document(copy)],
  failureCode: [
    nullable(ref("FailureCode")),
    (stored) => refundFailureCode(documentsOf(stored), { refund: codeOf(stored.refund), copy: stored.copy === null ? null : codeOf(stored.copy) })
  ],
  createdAt: [utcTime("When it was stored."), ({ refund }) => utcText(refund.createdAt)],
  updatedAt: [
    utcTime("When it last changed."),
    ({ copy, refund }) => utcText(copy === null ? refund.updatedAt : DateTime.max(refund.updatedAt, copy.updatedAt))
  ]
})

const workflowMembers = membersWith(documentJson(true))

export const refundWorkflowJson = writerOf(workflowMembers)
export const listedRefundJson = writerOf(membersWith(documentJson(false)))

const workflowOf = (
  description: string,
  statuses: ReadonlyArray<string>,
  documents: Readonly<Record<"refund" | "cashRefundCopy", JsonSchema>>
): JsonSchema => object(description, { ...schemasOf(workflowMembers), status: oneOfTexts("Where the workflow stands.", statuses), ...documents })

/** Refunds: answers. Source: Spec, refund-workflows; Decisions §5, Refund workflow. */
export const refundSchemas: Readonly<Record<string, JsonSchema>> = {
  RefundWorkflowPage: object("Refund workflows, latest first.", {
    items: list("Without `pfrRejection`, which a single read has. A page may have fewer than were asked for, or none, where statuses are asked for.", ref("RefundWorkflow")),
    nextCursor: nullable(text("To be sent as `cursor`, with the same filters, for the next page; null at the end."))
  }),
  RefundOriginal: original.schema,
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
