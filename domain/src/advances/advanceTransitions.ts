import { Result, Schema } from "effect"
import { TransitionNotAllowed } from "../documents/documentTransitions.ts"
import type { AdvanceCaseState } from "./AdvanceCaseState.ts"

/**
 * What can happen to an advance case. `document…` is a payment or a cancellation; `advanceRefund…` and `finalSale…` are the two
 * documents of a closing. `documentSignedLate` is one that the case no longer waited for. The signed copy of a cash cancellation moves
 * nothing.
 */
export const AdvanceEvent = Schema.Literals([
  "documentReserved",
  "documentSigned",
  "documentRejected",
  "documentNotSent",
  "documentUnknown",
  "documentConfirmedNotIssued",
  "documentSignedLate",
  "closingReserved",
  "advanceRefundSigned",
  "advanceRefundNotSent",
  "advanceRefundUnknown",
  "advanceRefundRejected",
  "advanceRefundConfirmedNotIssued",
  "finalSaleSigned",
  "finalSaleNotSent",
  "finalSaleUnknown",
  "finalSaleRejected",
  "finalSaleConfirmedNotIssued"
])
export type AdvanceEvent = typeof AdvanceEvent.Type

/**
 * The advance case as one table: state × event → state. A missing cell is a move that must not happen.
 *
 * A closing keeps the case until it is done: whatever is not sent goes on under the same key, a rejected final sale opens the case
 * again (its Advance Refund kept), a rejected Advance Refund ends it FAILED. A document that the case no longer waited for and that
 * turns out to be signed is a receipt, and moves the case nowhere: an operator looks at it. Source: Decisions §5, Advance case; Spec, Errors, Catalogue (ADVANCE_REFUND_NOT_FISCALIZED).
 */
export const advanceTransitions = {
  OPEN: {
    documentReserved: "OPEN",
    documentSigned: "OPEN",
    documentRejected: "OPEN",
    documentNotSent: "OPEN",
    documentUnknown: "AWAITING_OUTCOME",
    documentSignedLate: "OPEN",
    closingReserved: "AWAITING_OUTCOME"
  },
  AWAITING_OUTCOME: {
    documentSigned: "OPEN",
    documentRejected: "OPEN",
    documentUnknown: "AWAITING_OUTCOME",
    documentConfirmedNotIssued: "OPEN",
    documentSignedLate: "AWAITING_OUTCOME",
    advanceRefundSigned: "AWAITING_OUTCOME",
    advanceRefundNotSent: "AWAITING_OUTCOME",
    advanceRefundUnknown: "AWAITING_OUTCOME",
    advanceRefundRejected: "FAILED",
    advanceRefundConfirmedNotIssued: "AWAITING_OUTCOME",
    finalSaleSigned: "CLOSED",
    finalSaleNotSent: "AWAITING_OUTCOME",
    finalSaleUnknown: "AWAITING_OUTCOME",
    finalSaleRejected: "OPEN",
    finalSaleConfirmedNotIssued: "AWAITING_OUTCOME"
  },
  CLOSED: { documentSignedLate: "CLOSED" },
  FAILED: { documentSignedLate: "FAILED" }
} as const satisfies Record<AdvanceCaseState, Partial<Record<AdvanceEvent, AdvanceCaseState>>>

/** Who may cause a move: the request that holds the key, the worker, or an operator (Decisions §4, §5). */
export type AdvanceActor = "caller" | "worker" | "operator"

/** The actors of each event. A worker learns outcomes by searching; it sends neither advances nor the documents of a closing. */
export const advanceEventActors: Readonly<Record<AdvanceEvent, ReadonlyArray<AdvanceActor>>> = {
  documentReserved: ["caller"],
  documentSigned: ["caller", "worker", "operator"],
  documentRejected: ["caller", "worker"],
  documentNotSent: ["caller"],
  documentUnknown: ["caller", "worker"],
  documentConfirmedNotIssued: ["operator"],
  documentSignedLate: ["caller", "worker", "operator"],
  closingReserved: ["caller"],
  advanceRefundSigned: ["caller", "worker", "operator"],
  advanceRefundNotSent: ["caller"],
  advanceRefundUnknown: ["caller", "worker"],
  advanceRefundRejected: ["caller", "worker"],
  advanceRefundConfirmedNotIssued: ["operator"],
  finalSaleSigned: ["caller", "worker", "operator"],
  finalSaleNotSent: ["caller"],
  finalSaleUnknown: ["caller", "worker"],
  finalSaleRejected: ["caller", "worker"],
  finalSaleConfirmedNotIssued: ["operator"]
}

/** The state that follows, or the refusal of the move. */
export const nextAdvanceState = (
  from: AdvanceCaseState,
  event: AdvanceEvent
): Result.Result<AdvanceCaseState, TransitionNotAllowed> => {
  const row: Partial<Record<AdvanceEvent, AdvanceCaseState>> = advanceTransitions[from]
  const to = row[event]
  return to === undefined ? Result.fail(new TransitionNotAllowed({ from, event })) : Result.succeed(to)
}
