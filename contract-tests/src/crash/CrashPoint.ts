import { Effect } from "effect"

/** Moments beside something durable at which a process can be made to die. */
export const crashPoints = [
  "beforeFirstCommit",
  "afterFirstCommit",
  "beforeSecondCommit",
  "afterSecondCommit",
  "afterClaim"
] as const

/**
 * Moments that only the documents of workflows go through: beside what reserves them, and beside the compare-and-set by which a document
 * reserved unsent is sent. Their outcomes are stored at the second commit like any other's.
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

/** Called at every point; never comes back from the one that was chosen. */
export type AtPoint = (here: CrashPoint) => Effect.Effect<void>

/** Dies as a machine does, without a word to anybody, when `point` is reached for the `hit`-th time. */
export const dieAt = (point: string | undefined, hit: number): AtPoint => {
  let reached = 0
  return (here) =>
    Effect.suspend(() => {
      if (here !== point || ++reached < hit) return Effect.void
      process.kill(process.pid, "SIGKILL")
      return Effect.never
    })
}
