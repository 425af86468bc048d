import { Result } from "effect"
import type { DocumentStatus } from "../documents/DocumentStatus.ts"
import type { AdvanceCaseState } from "./AdvanceCase.ts"
import { AdvanceCaseCloseAlreadyReserved, AdvanceCaseNotOpen } from "./errors.ts"

/** The permitted acts in a case, and the refusal while a closing is reserved. */
export interface WhileClosing {
  readonly PAYMENT: AdvanceCaseNotOpen
  readonly CANCELLATION: AdvanceCaseNotOpen
  readonly CLOSING: AdvanceCaseCloseAlreadyReserved
}

export type AdvanceMutation = keyof WhileClosing

const whileClosing: { readonly [M in AdvanceMutation]: (notOpen: AdvanceCaseNotOpen) => WhileClosing[M] } = {
  PAYMENT: (notOpen) => notOpen,
  CANCELLATION: (notOpen) => notOpen,
  CLOSING: () => new AdvanceCaseCloseAlreadyReserved({})
}

/** The facts of a case that decide whether another document may be issued in it. */
export interface AdvanceProgress {
  readonly state: AdvanceCaseState
  /** Whether a document of the case is being sent right now. */
  readonly inFlight: boolean
  /** Whether the outcome of an advance or of a cancellation is not known. */
  readonly outcomeUnknown: boolean
  /** Whether a closing is reserved and neither completed nor given up. Only a request with the closing's own key continues it. */
  readonly closingReserved: boolean
  /** Whether the Advance Refund of a closing is a receipt while its final sale was rejected or given up. Only another closing may follow. */
  readonly advanceRefundKept: boolean
}

/**
 * Whether a new mutation may begin (PROCEED), must first wait for the document in flight (WAIT), or is refused. The reserved closing's
 * own key never comes here: it replays. Source: Decisions §5, Advance case; Spec, Errors, Catalogue.
 */
export const mayBegin = <M extends AdvanceMutation>(
  progress: AdvanceProgress,
  mutation: M
): Result.Result<"PROCEED" | "WAIT", AdvanceCaseNotOpen | WhileClosing[M]> => {
  const notOpen = new AdvanceCaseNotOpen({ state: progress.state })
  if (progress.state === "CLOSED" || progress.state === "FAILED") return Result.fail(notOpen)
  if (progress.closingReserved) return Result.fail(whileClosing[mutation](notOpen))
  if (progress.outcomeUnknown) return Result.fail(notOpen)
  if (progress.advanceRefundKept && mutation !== "CLOSING") return Result.fail(notOpen)
  return Result.succeed(progress.inFlight ? "WAIT" : "PROCEED")
}

/** The documents that a closing must issue. After a rejected final sale the Advance Refund exists already; a case without advances of ours needs none. */
export const closingDocuments = (
  closing: { readonly advanceStands: boolean; readonly advanceRefundKept: boolean }
): ReadonlyArray<"ADVANCE_REFUND" | "FINAL_SALE"> =>
  closing.advanceStands && !closing.advanceRefundKept ? ["ADVANCE_REFUND", "FINAL_SALE"] : ["FINAL_SALE"]

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
