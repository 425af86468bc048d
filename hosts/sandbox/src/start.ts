import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Console, Effect, type Exit, Option } from "effect"
import { sandbox } from "./sandbox.ts"
import { SandboxProblem } from "./SandboxProblem.ts"

const lineOf = (cause: Cause.Cause<unknown>): string => {
  const error = Option.getOrNull(Cause.findErrorOption(cause))
  // Anything but a problem of the sandbox is a bug of ours, and its whole trace is wanted.
  return error instanceof SandboxProblem ? `overa: ${error.line}` : Cause.pretty(cause)
}

const wasAskedToStop = (cause: Cause.Cause<unknown>): boolean => Cause.hasInterruptsOnly(cause)

// Whoever reads what we print may go away first, as in `npm start | head`; that stops nothing.
process.stdout.on("error", () => undefined)

// A closed terminal asks to stop like Ctrl-C does.
process.once("SIGHUP", () => process.kill(process.pid, "SIGTERM"))

NodeRuntime.runMain(
  sandbox.pipe(
    Effect.onInterrupt(() => Console.log("Stopped.")),
    Effect.tapCause((cause) => wasAskedToStop(cause) ? Effect.void : Console.error(lineOf(cause)))
  ),
  {
    disableErrorReporting: true,
    // Being asked to stop is no failure: npm start ends without a word of its own.
    teardown: (exit: Exit.Exit<unknown, unknown>, onExit) => onExit(exit._tag === "Success" || wasAskedToStop(exit.cause) ? 0 : 1)
  }
)
