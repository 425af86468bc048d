import { runHost } from "@overa/host-kit"
import { Effect, Layer, Logger } from "effect"
import { portalConfig } from "./Config.ts"
import { portalServices } from "./layers.ts"
import { servePortal } from "./serve.ts"

const write = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

runHost("overa-portal", async () => {
  const config = await Effect.runPromise(portalConfig)
  const services = portalServices(config).pipe(Layer.provideMerge(Logger.layer([Logger.map(Logger.formatJson, write)])))
  const running = await servePortal(services, {
    host: config.listenHost,
    port: config.port,
    baseUrl: config.baseUrl,
    trustProxy: config.trustProxy,
    connections: config.connections,
    key: config.credentialKey,
    formerKeys: config.formerCredentialKeys ?? [],
    write,
    // A submission's deadline and five seconds more (Decisions §8).
    stopMillis: 45_000
  })
  write(JSON.stringify({ level: "info", event: "serving", url: running.url }))
  return running
})
