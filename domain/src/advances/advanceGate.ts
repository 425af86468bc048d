import { Result } from "effect"
import type { AdvanceCaseState } from "./AdvanceCaseState.ts"
import { AdvanceCaseCloseAlreadyReserved, AdvanceCaseNotOpen } from "./errors.ts"

export type AdvanceMutation = "PAYMENT" | "CANCELLATION" | "CLOSING"

/** The facts of a case that decide whether another document may be issued in it. */
export interface AdvanceProgress {
  readonly state: AdvanceCaseState
  /** Whether a document of the case is being sent right now. */
  readonly inFlight: boolean
  /** Whether a closing is reserved and neither completed nor given up. Only a request with the closing's own key continues it. */
  readonly closingReserved: boolean
  /** Whether the Advance Refund of a closing is a receipt while its final sale was rejected. Only another closing may follow. */
  readonly advanceRefundKept: boolean
}

/**
 * Whether a new mutation may begin (PROCEED), must first wait for the document in flight (WAIT), or is refused. The reserved closing's
 * own key never comes here: it replays. Source: Decisions §5, Advance case; Spec, Errors, Catalogue.
 */
export const mayBegin = (
  progress: AdvanceProgress,
  mutation: AdvanceMutation
): Result.Result<"PROCEED" | "WAIT", AdvanceCaseNotOpen | AdvanceCaseCloseAlreadyReserved> => {
  const notOpen = Result.fail(new AdvanceCaseNotOpen({ state: progress.state }))
  if (progress.state === "CLOSED" || progress.state === "FAILED") return notOpen
  if (progress.closingReserved) {
    return mutation === "CLOSING" ? Result.fail(new AdvanceCaseCloseAlreadyReserved({})) : notOpen
  }
  if (progress.state === "AWAITING_OUTCOME") return notOpen
  if (progress.advanceRefundKept && mutation !== "CLOSING") return notOpen
  return Result.succeed(progress.inFlight ? "WAIT" : "PROCEED")
}

/** The documents that a closing must issue. After a rejected final sale the Advance Refund exists already; a case without advances of ours needs none. */
export const closingDocuments = (
  closing: { readonly advanceStands: boolean; readonly advanceRefundKept: boolean }
): ReadonlyArray<"ADVANCE_REFUND" | "FINAL_SALE"> =>
  closing.advanceStands && !closing.advanceRefundKept ? ["ADVANCE_REFUND", "FINAL_SALE"] : ["FINAL_SALE"]
