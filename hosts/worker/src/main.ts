import { runHost } from "@overa/host-kit"
import { Effect, Layer, Logger, ManagedRuntime } from "effect"
import { workerConfig } from "./Config.ts"
import { worker } from "./worker.ts"

runHost("overa-worker", async () => {
  const config = await Effect.runPromise(workerConfig)
  // One JSON line for each event.
  const runtime = ManagedRuntime.make(Layer.provideMerge(worker(config), Logger.layer([Logger.consoleJson])))
  await runtime.runPromise(Effect.logInfo("worker: running"))
  return { stop: () => runtime.dispose() }
})
