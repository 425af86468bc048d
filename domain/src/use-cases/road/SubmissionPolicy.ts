import { Context } from "effect"

/**
 * How long a submission may take. The lease ends `leaseMarginMillis` after the deadline, so that an attempt which may still be sending is never
 * treated as an orphan (Decisions §4).
 */
export class SubmissionPolicy extends Context.Reference("@overa/domain/use-cases/SubmissionPolicy", {
  defaultValue: () => ({ deadlineMillis: 40_000, leaseMarginMillis: 10_000 })
}) {}

export const leaseMillis = (policy: { readonly deadlineMillis: number; readonly leaseMarginMillis: number }): number =>
  policy.deadlineMillis + policy.leaseMarginMillis

/** Unknown outcomes are searched for seven days; after that only an operator decides (Decisions §4, Resolution). */
export const searchPeriodMillis = 7 * 24 * 3_600_000

/** The pause after the n-th search (n from 0): 5 s, 30 s, then doubling to an hour. */
export const pauseAfterSearch = (searchesBefore: number): number => {
  if (searchesBefore <= 0) return 5_000
  return Math.min(30_000 * 2 ** Math.min(searchesBefore - 1, 10), 3_600_000)
}

/** The next pause, or null when the seven days since the first attempt are over. */
export const nextCheckAfter = (searchesBefore: number, unresolvedForMillis: number): number | null =>
  unresolvedForMillis >= searchPeriodMillis ? null : pauseAfterSearch(searchesBefore)
