import { restApiServices, serve } from "@overa/rest-api"
import { worker } from "@overa/worker"
import { Effect, Layer } from "effect"
import { restApiSettings, type SharedSettings, workerSettings } from "./hostConfigs.ts"
import type { LogFile } from "./logFile.ts"
import { SandboxProblem } from "./SandboxProblem.ts"

export { sandboxContent } from "./sandboxContent.ts"

/** A submission's deadline and five seconds more (Decisions §8). */
const stopMillis = 45_000

const serveApi = (settings: SharedSettings, port: number, log: LogFile) => {
  const config = restApiSettings(settings, port)
  return Effect.acquireRelease(
    Effect.tryPromise({
      try: () =>
        serve(restApiServices(config).pipe(Layer.provideMerge(log.layer)), {
          host: config.listenHost,
          port: config.port,
          baseUrl: config.baseUrl,
          externalTokenUrl: null,
          trustProxy: config.trustProxy,
          rateLimit: config.rateLimit,
          write: log.write,
          stopMillis
        }),
      catch: (cause) => new SandboxProblem({ line: `the API did not start: ${(cause as Error).message}` })
    }),
    (api) => Effect.promise(() => api.stop())
  )
}

/** The worker, then the API: they stop in the other order when the scope closes. */
export const startHosts = Effect.fn("startHosts")(function*(settings: SharedSettings, port: number, log: LogFile) {
  yield* Layer.build(worker(workerSettings(settings)).pipe(Layer.provide(log.layer))).pipe(
    Effect.catch((error) => Effect.fail(new SandboxProblem({ line: `the worker did not start: ${error.message}` })))
  )
  return yield* serveApi(settings, port, log)
})
