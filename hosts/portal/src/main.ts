import { hostLog, logLine, runHost, watchStore } from "@overa/host-kit"
import { Effect, Layer } from "effect"
import { portalConfig } from "./Config.ts"
import { portalServices } from "./layers.ts"
import { servePortal } from "./serve.ts"

const write = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

runHost("overa-portal", write, async () => {
  const config = await Effect.runPromise(portalConfig)
  const services = portalServices(config).pipe((all) => Layer.provideMerge(watchStore, all), Layer.provideMerge(hostLog(write, config.logLevel)))
  const running = await servePortal(services, {
    host: config.listenHost,
    port: config.port,
    baseUrl: config.baseUrl,
    trustProxy: config.trustProxy,
    connections: config.connections,
    key: config.credentialKey,
    formerKeys: config.formerCredentialKeys ?? [],
    write,
    ...(config.logLevel === undefined ? {} : { logLevel: config.logLevel }),
    // A submission's deadline and five seconds more (Decisions §8).
    stopMillis: 45_000
  })
  write(logLine("info", "serving", { url: running.url }))
  return running
})
