import type { DocumentStatus } from "../documents/DocumentStatus.ts"
import type { AdvanceCaseState } from "./AdvanceCaseState.ts"
import type { AdvanceProgress } from "./advanceGate.ts"

/** The statuses of a case's documents. The state of the case follows from them alone. */
export interface AdvanceDocuments {
  /** The Advance Sales and the Advance Refunds of cancellations. */
  readonly documents: ReadonlyArray<DocumentStatus>
  /** The Advance Refund of the closing; null when none was reserved. */
  readonly advanceRefund: DocumentStatus | null
  /** The latest final sale; null when no closing was reserved. */
  readonly finalSale: DocumentStatus | null
}

const isUnknown = (status: DocumentStatus): boolean => status === "OUTCOME_UNKNOWN" || status === "RECONCILING"

const isUnderWay = (status: DocumentStatus | null): boolean =>
  status === "RECEIVED" || status === "VALIDATED" || status === "SUBMITTING"

/** Whether a closing is reserved that is neither completed nor given up; only its own key continues it. A rejected final sale gives it up. */
const isBeingClosed = (closing: AdvanceDocuments): boolean =>
  closing.advanceRefund !== "REJECTED" && closing.finalSale !== null && closing.finalSale !== "FISCALIZED" &&
  closing.finalSale !== "REJECTED"

/**
 * Whether the advances are given back already and the goods are not sold yet: only another closing ends that. Without a final sale, the Advance Refund
 * of a closing that was given up has been found.
 */
const isRefundKept = ({ advanceRefund, finalSale }: AdvanceDocuments): boolean =>
  advanceRefund === "FISCALIZED" && (finalSale === null || finalSale === "REJECTED")

/**
 * The state that follows from the statuses of a case's documents. A case is OPEN only where payments, cancellations and a closing may begin: while a
 * closing lacks its final sale, and while an outcome is unknown, it is AWAITING_OUTCOME (docs/adr/0125).
 *
 * @example advanceCaseState({ documents: ["FISCALIZED", "RECONCILING"], advanceRefund: null, finalSale: null }) // "AWAITING_OUTCOME"
 */
export const advanceCaseState = (statuses: AdvanceDocuments): AdvanceCaseState => {
  if (statuses.finalSale === "FISCALIZED") return "CLOSED"
  if (statuses.advanceRefund === "REJECTED") return "FAILED"
  return isBeingClosed(statuses) || isRefundKept(statuses) || statuses.documents.some(isUnknown) ? "AWAITING_OUTCOME" : "OPEN"
}

/** What the documents say about whether another one may be issued (`mayBegin`). */
export const advanceProgress = (statuses: AdvanceDocuments): AdvanceProgress => ({
  state: advanceCaseState(statuses),
  inFlight: [...statuses.documents, statuses.advanceRefund].some(isUnderWay) || statuses.finalSale === "SUBMITTING",
  outcomeUnknown: statuses.documents.some(isUnknown),
  closingReserved: isBeingClosed(statuses),
  advanceRefundKept: isRefundKept(statuses)
})
