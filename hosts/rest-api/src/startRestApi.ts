import { hostLog, watchStore, type WriteLine } from "@overa/host-kit"
import { Layer } from "effect"
import type { RestApiConfig } from "./Config.ts"
import { restApiServices } from "./layers.ts"
import { type RunningRestApi, serve } from "./serve.ts"

/** A submission's deadline and five seconds more (Decisions §8): requests in flight reach a stored outcome. */
const stopMillis = 45_000

/**
 * Starts a REST host in this process and resolves when it serves. Its log goes to `write`, one JSON line per event.
 *
 * Rejects when the configuration cannot be used, the database cannot be reached, or the port is taken; then nothing is left running.
 */
export const startRestApi = (config: RestApiConfig, write: WriteLine): Promise<RunningRestApi> =>
  serve(restApiServices(config).pipe((services) => Layer.provideMerge(watchStore, services), Layer.provideMerge(hostLog(write, config.logLevel))), {
    host: config.listenHost,
    port: config.port,
    baseUrl: config.baseUrl,
    issuer: config.identity.issuer,
    externalTokenUrl: config.identity.external?.tokenUrl ?? null,
    contactEmail: config.contactEmail,
    tryItOut: null,
    trustProxy: config.trustProxy,
    ...(config.connections === undefined ? {} : { connections: config.connections }),
    rateLimit: config.rateLimit,
    capacity: config.capacity,
    securityContact: config.securityContact,
    write,
    ...(config.logLevel === undefined ? {} : { logLevel: config.logLevel }),
    stopMillis
  })
