import type { InvoiceType, TransactionType } from "../documents/InvoiceType.ts"

/** An invoice type with a transaction type: one of the ten kinds of document. */
export interface DocumentKind {
  readonly invoiceType: InvoiceType
  readonly transactionType: TransactionType
}

/** What one kind of document may refer to. */
export interface ReferenceRule {
  /** The kinds it may refer to; empty when it refers to nothing. */
  readonly targets: ReadonlyArray<DocumentKind>
  /** Who names the document referred to: the caller in the request, the service by itself, or nobody. */
  readonly namedBy: "CALLER" | "SERVICE" | "NOBODY"
  /** Whether a document of this kind must refer to another: a chain's first advance does not. */
  readonly required: "ALWAYS" | "AFTER_THE_FIRST" | "AFTER_AN_ADVANCE" | "NEVER"
  /** Whether a document of another ESIR (source EXTERNAL) may be referred to. */
  readonly external: boolean
  /** The operations that issue it. */
  readonly issuedBy: ReadonlyArray<string>
}

const kind = (invoiceType: InvoiceType, transactionType: TransactionType): DocumentKind => ({ invoiceType, transactionType })
const copies = "POST /v1/fiscal-documents/{id}/copies"
const externalCopies = "POST /v1/fiscal-documents"
const proformaTraining = "POST /v1/proforma-training-workflows"
const nothing = { targets: [], namedBy: "NOBODY", required: "NEVER", external: false } as const

/**
 * What a new document may refer to, for all ten kinds.
 * Source: Spec, Document types and the operations that issue them; V-PFR §2 (who must carry the number and time).
 */
export const referenceMatrix: Readonly<Record<InvoiceType, Readonly<Record<TransactionType, ReferenceRule>>>> = {
  NORMAL: {
    SALE: {
      targets: [kind("ADVANCE", "REFUND")],
      namedBy: "SERVICE",
      required: "AFTER_AN_ADVANCE",
      external: false,
      issuedBy: ["POST /v1/fiscal-documents", "POST /v1/advance-cases/{id}/closing"]
    },
    REFUND: {
      targets: [kind("NORMAL", "SALE")],
      namedBy: "CALLER",
      required: "ALWAYS",
      external: false,
      issuedBy: ["POST /v1/refund-workflows"]
    }
  },
  COPY: {
    SALE: {
      targets: [kind("NORMAL", "SALE"), kind("ADVANCE", "SALE")],
      namedBy: "CALLER",
      required: "ALWAYS",
      external: true,
      issuedBy: [copies, externalCopies]
    },
    REFUND: {
      targets: [kind("NORMAL", "REFUND"), kind("ADVANCE", "REFUND")],
      namedBy: "CALLER",
      required: "ALWAYS",
      external: true,
      issuedBy: [copies, externalCopies, "POST /v1/refund-workflows", "POST /v1/advance-cases/{id}/cancellations"]
    }
  },
  ADVANCE: {
    SALE: {
      targets: [kind("ADVANCE", "SALE")],
      namedBy: "SERVICE",
      required: "AFTER_THE_FIRST",
      external: false,
      issuedBy: ["POST /v1/advance-cases/{id}/payments"]
    },
    REFUND: {
      targets: [kind("ADVANCE", "SALE")],
      namedBy: "SERVICE",
      required: "ALWAYS",
      external: false,
      issuedBy: ["POST /v1/advance-cases/{id}/cancellations", "POST /v1/advance-cases/{id}/closing"]
    }
  },
  PROFORMA: {
    SALE: { ...nothing, issuedBy: [proformaTraining] },
    REFUND: {
      targets: [kind("PROFORMA", "SALE")],
      namedBy: "CALLER",
      required: "ALWAYS",
      external: false,
      issuedBy: [proformaTraining]
    }
  },
  TRAINING: {
    SALE: { ...nothing, issuedBy: [proformaTraining] },
    REFUND: {
      targets: [kind("TRAINING", "SALE")],
      namedBy: "CALLER",
      required: "ALWAYS",
      external: false,
      issuedBy: [proformaTraining]
    }
  }
}

/** The matrix row of a kind of document. */
export const referenceRule = (document: DocumentKind): ReferenceRule =>
  referenceMatrix[document.invoiceType][document.transactionType]

/** Whether the matrix allows the first to refer to the second. */
export const mayReference = (document: DocumentKind, target: DocumentKind): boolean =>
  referenceRule(document).targets.some(
    (allowed) => allowed.invoiceType === target.invoiceType && allowed.transactionType === target.transactionType
  )
