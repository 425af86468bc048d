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
