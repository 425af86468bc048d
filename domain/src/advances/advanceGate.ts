import { Result } from "effect"
import type { AdvanceCaseState } from "./AdvanceCaseState.ts"
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
