import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { Effect, Schedule } from "effect"
import { SandboxProblem } from "./SandboxProblem.ts"

/**
 * The command line of a running process, or null; a zombie has none. Process ids are used again, mainly after a restart of the machine and in
 * containers, so a stored id is accepted only if the command is still the one we started.
 */
export const processCommand = (pid: number): string | null => {
  try {
    if (process.platform === "linux") return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim() || null
    return execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim()
  } catch {
    return null
  }
}

/** Whether the system still knows the process: also true for a zombie, which has ended and is kept for its parent. */
export const canBeSignalled = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "EPERM"
  }
}

/** A process left behind by an earlier start that was killed. */
export interface Leftover {
  readonly pid: number
  /** A text that its command line contains if the process is ours. */
  readonly mark: string
  readonly name: string
}

const isRunning = (leftover: Leftover): boolean => processCommand(leftover.pid)?.includes(leftover.mark) === true

/** Asks the leftover process to stop and waits for its end; false when it had ended already. */
export const stopLeftover = Effect.fn("stopLeftover")(function*(leftover: Leftover, signal: NodeJS.Signals) {
  if (!isRunning(leftover)) return false
  yield* Effect.sync(() => process.kill(leftover.pid, signal))
  yield* Effect.suspend(() =>
    isRunning(leftover)
      ? Effect.fail(
        new SandboxProblem({ line: `${leftover.name} of an earlier start (pid ${leftover.pid}) does not stop; end it and start again` })
      )
      : Effect.void
  ).pipe(Effect.retry({ schedule: Schedule.spaced("20 millis"), times: 1_000 }))
  return true
})
