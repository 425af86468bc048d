import { restApiConfig, restApiServices, serve } from "@overa/rest-api"
import { workerConfig, workerLoops, workerServices } from "@overa/worker"
import { Effect, Layer } from "effect"
import { dieAt } from "./CrashPoint.ts"
import { mortalAdvanceCases, mortalOperationStore, mortalProformaTraining, mortalRefundStore, mortalUnresolvedOperations } from "./mortalPorts.ts"

/**
 * A host as in production, with the same variables, in a process that crashes at a chosen point. Only this entry point contains the crash code; the
 * hosts themselves have none.
 */
const at = dieAt(process.env["CRASH_POINT"], Number(process.env["CRASH_HIT"] ?? "1"))
const write = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

const runApi = async (): Promise<void> => {
  const config = await Effect.runPromise(restApiConfig)
  const services = Layer.mergeAll(mortalOperationStore(at), mortalRefundStore(at), mortalAdvanceCases(at), mortalProformaTraining(at)).pipe(
    Layer.provideMerge(restApiServices(config))
  )
  const api = await serve(services, {
    host: config.listenHost,
    port: config.port,
    baseUrl: null,
    issuer: "overa",
  externalTokenUrl: null,
    contactEmail: null,
  tryItOut: null,
  trustProxy: null,
    rateLimit: config.rateLimit,
    capacity: config.capacity,
    write: () => undefined,
    stopMillis: 5_000
  })
  write(`serving ${api.url}`)
}

const runWorker = async (): Promise<void> => {
  const config = await Effect.runPromise(workerConfig)
  const services = Layer.mergeAll(mortalOperationStore(at), mortalUnresolvedOperations(at)).pipe(
    Layer.provideMerge(workerServices(config))
  )
  const running = Layer.effectDiscard(Effect.sync(() => write("serving worker"))).pipe(
    Layer.provideMerge(workerLoops.pipe(Layer.provide(services)))
  )
  await Effect.runPromise(Layer.launch(running))
}

await (process.env["CRASH_ROLE"] === "worker" ? runWorker() : runApi())
