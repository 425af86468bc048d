import { portalServices, servePortal } from "@overa/portal"
import { restApiServices, serve, type TryItOut } from "@overa/rest-api"
import { worker } from "@overa/worker"
import { Effect, Layer } from "effect"
import { freePort } from "./freePort.ts"
import { portalSettings, restApiSettings, type SharedSettings, workerSettings } from "./hostConfigs.ts"
import type { LogFile } from "./logFile.ts"
import { SandboxProblem } from "./SandboxProblem.ts"

export { sandboxContent } from "./sandboxContent.ts"
export { sandboxPeople } from "./seed/sandboxPeople.ts"

/** A submission's deadline and five seconds more (Decisions §8). */
const stopMillis = 45_000

const serveApi = Effect.fnUntraced(function*(settings: SharedSettings, asked: number, tryItOut: TryItOut, log: LogFile) {
  // Chosen before it is listened on, because the address is the issuer of the tokens.
  const config = restApiSettings(settings, asked === 0 ? yield* freePort : asked)
  return yield* Effect.acquireRelease(
    Effect.tryPromise({
      try: () =>
        serve(restApiServices(config).pipe(Layer.provideMerge(log.layer)), {
          host: config.listenHost,
          port: config.port,
          baseUrl: config.baseUrl,
          issuer: config.identity.issuer,
          externalTokenUrl: null,
          contactEmail: config.contactEmail,
          tryItOut,
          trustProxy: config.trustProxy,
          rateLimit: config.rateLimit,
          capacity: config.capacity,
          write: log.write,
          stopMillis
        }),
      catch: (cause) => new SandboxProblem({ line: `the API did not start: ${(cause as Error).message}` })
    }),
    (api) => Effect.promise(() => api.stop())
  )
})

const servePages = Effect.fnUntraced(function*(settings: SharedSettings, asked: number, log: LogFile) {
  const config = portalSettings(settings, asked === 0 ? yield* freePort : asked)
  return yield* Effect.acquireRelease(
    Effect.tryPromise({
      try: () =>
        servePortal(portalServices(config).pipe(Layer.provideMerge(log.layer)), {
          host: config.listenHost,
          port: config.port,
          baseUrl: config.baseUrl,
          trustProxy: config.trustProxy,
          key: config.credentialKey,
          write: log.write,
          stopMillis
        }),
      catch: (cause) => new SandboxProblem({ line: `the portal did not start: ${(cause as Error).message}` })
    }),
    (portal) => Effect.promise(() => portal.stop())
  )
})

/** The worker, then the API and the portal; when the scope closes they stop in reverse order. */
export const startHosts = Effect.fn("startHosts")(function*(
  settings: SharedSettings,
  ports: { readonly api: number; readonly portal: number },
  tryItOut: TryItOut,
  log: LogFile
) {
  yield* Layer.build(worker(workerSettings(settings)).pipe(Layer.provide(log.layer))).pipe(
    Effect.catch((error) => Effect.fail(new SandboxProblem({ line: `the worker did not start: ${error.message}` })))
  )
  const api = yield* serveApi(settings, ports.api, tryItOut, log)
  return { api, portal: yield* servePages(settings, ports.portal, log) }
})
