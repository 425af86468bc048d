import { retryableOf } from "../documents/FiscalDocument.ts"
import { isCarriedOnByService } from "./carriedOnByService.ts"
import type { Operation } from "./Operation.ts"

type Facts = Pick<Operation, "boundKey" | "content" | "failureCode" | "status" | "workflow">

const isOf = ({ content }: Facts, invoiceType: string, transactionType: string): boolean => content.invoiceType === invoiceType && content.transactionType === transactionType

/** A refund that failed is over, and its key answers the same for ever (Spec, Refund workflow statuses, FAILED). */
const isOver = (document: Facts): boolean => isOf(document, "NORMAL", "REFUND")

/** The final sale of a closing that has stopped before anything of it was sent: its key continues the closing. */
const isStoppedClosing = (document: Facts): boolean => document.workflow?.type === "ADVANCE" && isOf(document, "NORMAL", "SALE") && document.status === "VALIDATED"

/**
 * Whether the same request under the same key may be sent again by whoever has the key: nothing is signed, and the service does not carry the document
 * on by itself. Never of a document whose outcome is unknown. Source: Spec, Document transitions; Decisions §3.
 */
export const mayBeSentAgain = (document: Facts): boolean =>
  document.boundKey.role === "REQUEST" && !isOver(document) && !isCarriedOnByService(document) &&
  (retryableOf(document.status, document.failureCode) || isStoppedClosing(document))

/**
 * Whether what a document was to say may be said anew, by another document under another key: this one is no receipt, and no request under its key makes
 * it one. Source: Spec, Document transitions (a new request needs a new key); Refund workflow statuses, FAILED.
 */
export const mayBeIssuedAnew = (document: Facts): boolean =>
  document.boundKey.role === "REQUEST" && (document.status === "REJECTED" || (document.status === "NOT_FISCALIZED" && isOver(document)))
