import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Console, Effect, Layer, Logger } from "effect"
import { workerConfig } from "./Config.ts"
import { worker } from "./worker.ts"

const serving = Layer.effectDiscard(Effect.logInfo("worker: running"))

/** One JSON line per event; a start that fails says why in one line and leaves with 1. */
const main = workerConfig.pipe(
  Effect.flatMap((config) => Layer.launch(serving.pipe(Layer.provideMerge(worker(config))))),
  Effect.provide(Logger.layer([Logger.consoleJson])),
  Effect.tapCause((cause) =>
    Cause.hasInterruptsOnly(cause) ? Effect.void : Console.error(`overa-worker: ${(Cause.squash(cause) as Error).message}`)
  )
)

NodeRuntime.runMain(main, {
  disableErrorReporting: true,
  // Being asked to stop is no failure.
  teardown: (exit, onExit) => onExit(exit._tag === "Success" || Cause.hasInterruptsOnly(exit.cause) ? 0 : 1)
})
