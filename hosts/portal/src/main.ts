import { startFailure } from "@overa/rest-api"
import { Effect, Layer, Logger } from "effect"
import { portalConfig } from "./Config.ts"
import { portalServices } from "./layers.ts"
import { servePortal } from "./serve.ts"

const write = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

const fail = (error: unknown): void => {
  process.stderr.write(`overa-portal: ${startFailure(error)}\n`)
  process.exitCode = 1
}

const main = async (): Promise<void> => {
  const config = await Effect.runPromise(portalConfig)
  const services = portalServices(config).pipe(Layer.provideMerge(Logger.layer([Logger.map(Logger.formatJson, write)])))
  const running = await servePortal(services, {
    host: config.listenHost,
    port: config.port,
    baseUrl: config.baseUrl,
    trustProxy: config.trustProxy,
    key: config.credentialKey,
    write,
    // A submission's deadline and five seconds more (Decisions §8).
    stopMillis: 45_000
  })
  write(JSON.stringify({ level: "info", event: "serving", url: running.url }))
  const stop = (): void => {
    running.stop().catch(fail)
  }
  process.once("SIGINT", stop)
  process.once("SIGTERM", stop)
}

main().catch(fail)
