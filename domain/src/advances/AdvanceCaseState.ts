import { Schema } from "effect"

/** Source: Decisions §5, Advance case. AWAITING_OUTCOME: an outcome is unknown, or the case is being closed. */
export const AdvanceCaseState = Schema.Literals(["OPEN", "AWAITING_OUTCOME", "CLOSED", "FAILED"])
export type AdvanceCaseState = typeof AdvanceCaseState.Type
