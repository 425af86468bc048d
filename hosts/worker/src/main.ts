import { hostLog, logLine, operationalAnswers, runHost, serveOperational } from "@overa/host-kit"
import type { Installation } from "@overa/domain"
import { Effect, type Exit, Layer, ManagedRuntime } from "effect"
import { workerConfig } from "./Config.ts"
import { JobRecord, JobRecords } from "./jobs/JobRecord.ts"
import { WitnessRecord, WitnessRecords } from "./jobs/WitnessRecord.ts"
import { watchedWorker } from "./worker.ts"

const write = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

runHost("overa-worker", write, async () => {
  const config = await Effect.runPromise(workerConfig)
  const record = new JobRecord()
  const witnessRecord = new WitnessRecord()
  const runtime = ManagedRuntime.make(watchedWorker(config).pipe(
    Layer.provideMerge(Layer.mergeAll(Layer.succeed(JobRecords, record), Layer.succeed(WitnessRecords, witnessRecord))),
    Layer.provideMerge(hostLog(write, config.logLevel))
  ))
  let isStopping = false
  const answers = operationalAnswers({
    // Services that could not be built have failed before; here only the effect's own exit remains.
    run: <A, E>(effect: Effect.Effect<A, E, Installation>) => runtime.runPromiseExit(effect) as Promise<Exit.Exit<A, E>>,
    isStopping: () => isStopping,
    metrics: () => record.text() + witnessRecord.text(),
    reasons: () => record.stuck(Date.now())
  })
  try {
    await runtime.context()
    const operational = await serveOperational(answers, { host: config.listenHost, port: config.port }, "OVERA_WORKER_PORT")
    write(logLine("info", "running", { port: operational.port }))
    return {
      stop: async () => {
        isStopping = true
        await runtime.dispose()
        await operational.stop()
      }
    }
  } catch (error) {
    await runtime.dispose()
    throw error
  }
})
