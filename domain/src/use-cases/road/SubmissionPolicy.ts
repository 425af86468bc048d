import { Context } from "effect"

/**
 * How long a submission may take. The lease ends `leaseMarginMillis` after the deadline, so that an attempt which may still be sending is never
 * treated as an orphan (Decisions §4).
 */
export class SubmissionPolicy extends Context.Reference("@overa/domain/use-cases/SubmissionPolicy", {
  defaultValue: () => ({ deadlineMillis: 40_000, leaseMarginMillis: 10_000 })
}) {}

/**
 * How long after an attempt began nothing may be concluded from an empty search for it: until a quarter of an hour after its deadline (Decisions §4).
 * Neither an operator decides earlier, nor is anything sent again.
 */
export const settledAfterMillis = ({ deadlineMillis }: { readonly deadlineMillis: number }): number => deadlineMillis + 15 * 60_000

export const leaseMillis = (policy: { readonly deadlineMillis: number; readonly leaseMarginMillis: number }): number =>
  policy.deadlineMillis + policy.leaseMarginMillis
