import { Effect } from "effect"

/** Moments beside something durable at which a process can be made to die. */
export const crashPoints = [
  "beforeFirstCommit",
  "afterFirstCommit",
  "beforeSecondCommit",
  "afterSecondCommit",
  "afterClaim"
] as const

/** Moments that only a refund and its copy go through; its outcomes are stored at the second commit like any other's. */
export const refundCrashPoints = ["beforeRefundCommit", "afterRefundCommit", "beforeCopySubmitting", "afterCopySubmitting"] as const
export type CrashPoint = typeof crashPoints[number] | typeof refundCrashPoints[number]

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
