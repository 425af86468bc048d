import { Effect } from "effect"

/** Points next to something durable at which a process can be made to crash. */
export const crashPoints = [
  "beforeFirstCommit",
  "afterFirstCommit",
  "beforeSecondCommit",
  "afterSecondCommit",
  "afterClaim"
] as const

/**
 * Points that only documents of workflows pass: beside their reservation, and beside the compare-and-set that sends a document reserved unsent. Their
 * outcomes are stored by the second commit like any other.
 */
export type WorkflowCrashPoint =
  | "beforeRefundCommit"
  | "afterRefundCommit"
  | "beforeCaseOpening"
  | "afterCaseOpening"
  | "beforeCaseCommit"
  | "afterCaseCommit"
  | "beforeProformaCommit"
  | "afterProformaCommit"
  | "beforeSending"
  | "afterMarkedSent"
export type CrashPoint = typeof crashPoints[number] | WorkflowCrashPoint

/** Called at every point; never returns from the chosen one. */
export type AtPoint = (here: CrashPoint) => Effect.Effect<void>

/** Ends like a machine that fails, without any message, when `point` is reached for the `hit`-th time. */
export const dieAt = (point: string | undefined, hit: number): AtPoint => {
  let reached = 0
  return (here) =>
    Effect.suspend(() => {
      if (here !== point || ++reached < hit) return Effect.void
      process.kill(process.pid, "SIGKILL")
      return Effect.never
    })
}
