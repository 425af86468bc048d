import { DateTime } from "effect"
import { isDueToBeSent } from "./carriedOnByService.ts"
import { mayHaveArrived } from "./outcomeTable.ts"
import type { Attempt, Operation } from "./Operation.ts"

/** Each attempt that may have arrived is searched for seven days; after that only an operator decides (Decisions §4, Resolution). */
export const searchPeriodMillis = 7 * 24 * 3_600_000

/** The pause after the n-th search since the last attempt (n from 0): 5 s, 30 s, then doubling to an hour. */
export const pauseAfterSearch = (searchesBefore: number): number => {
  if (searchesBefore <= 0) return 5_000
  return Math.min(30_000 * 2 ** Math.min(searchesBefore - 1, 10), 3_600_000)
}

/** What the next check of an operation depends on. */
export interface Checked {
  readonly operation: Pick<Operation, "boundKey" | "content" | "createdAt" | "inDoubt" | "status" | "workflow">
  readonly attempts: ReadonlyArray<Attempt>
  /** How often it was checked since its last attempt. */
  readonly checks: number
}

/**
 * After how many milliseconds the service checks an operation again; null when only an operator can continue. A document that the service itself sends
 * is checked until it is sent, however old it is, also while it is in doubt. The seven days of a search begin with the newest attempt that may have arrived.
 */
export const nextCheckAfter = ({ attempts, checks, operation }: Checked, now: DateTime.Utc): number | null => {
  if (isDueToBeSent({ ...operation, status: operation.inDoubt ?? operation.status })) return pauseAfterSearch(checks)
  const since = attempts.findLast(mayHaveArrived)?.startedAt ?? operation.createdAt
  return DateTime.toEpochMillis(now) - DateTime.toEpochMillis(since) >= searchPeriodMillis ? null : pauseAfterSearch(checks)
}
