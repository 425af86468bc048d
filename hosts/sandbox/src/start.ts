import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Console, Effect, type Exit, Option } from "effect"
import { sandbox } from "./sandbox.ts"
import { SandboxProblem } from "./SandboxProblem.ts"

const lineOf = (cause: Cause.Cause<unknown>): string => {
  const error = Option.getOrNull(Cause.findErrorOption(cause))
  // Anything but a problem of the sandbox is a bug of ours, so the whole trace is printed.
  return error instanceof SandboxProblem ? `overa: ${error.line}` : Cause.pretty(cause)
}

const wasAskedToStop = (cause: Cause.Cause<unknown>): boolean => Cause.hasInterruptsOnly(cause)

// The reader of the output may end first, as in `npm start | head`; that stops nothing.
process.stdout.on("error", () => undefined)

// A closed terminal requests a stop, as Ctrl-C does.
process.once("SIGHUP", () => process.kill(process.pid, "SIGTERM"))

NodeRuntime.runMain(
  sandbox.pipe(
    Effect.onInterrupt(() => Console.log("Stopped.")),
    Effect.tapCause((cause) => wasAskedToStop(cause) ? Effect.void : Console.error(lineOf(cause)))
  ),
  {
    disableErrorReporting: true,
    // A requested stop is not a failure: npm then prints no error of its own.
    teardown: (exit: Exit.Exit<unknown, unknown>, onExit) => onExit(exit._tag === "Success" || wasAskedToStop(exit.cause) ? 0 : 1)
  }
)
