import type { Attempt } from "./Operation.ts"

/** Whether the V-PFR may hold a receipt of that attempt which the service does not know of. */
export const mayHaveArrived = (attempt: Pick<Attempt, "outcome">): boolean =>
  attempt.outcome === null || attempt.outcome === "NO_ANSWER"
