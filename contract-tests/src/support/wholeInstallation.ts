import { restApiConfig, type RunningRestApi, startRestApi } from "@overa/rest-api"
import type { Element } from "@overa/vpfr-simulator"
import { worker, workerConfig } from "@overa/worker"
import { ConfigProvider, Effect, Layer, Logger, ManagedRuntime } from "effect"
import type { OperatorDesk } from "./operatorDesk.ts"
import type { Shop } from "./openShop.ts"
import { shopDesk } from "./shopDesk.ts"
import { type TraceCollector, traceCollector } from "./traceCollector.ts"

/** Everything that a production installation has, in this process: the operator, the API, the worker, the V-PFR, a trace collector. */
export interface WholeInstallation {
  readonly desk: OperatorDesk
  readonly api: RunningRestApi
  readonly shop: Shop
  /** The element that the shop issues with, as issued. */
  readonly element: Element
  readonly traces: TraceCollector
  /** Lines of both hosts' logs. */
  readonly log: ReadonlyArray<string>
  readonly settings: Readonly<Record<string, string>>
  /** Stops the hosts, which sends the remaining traces; the database and the collector stay. */
  readonly stopHosts: () => Promise<void>
  readonly close: () => Promise<void>
}

const provided = (settings: Readonly<Record<string, string>>) => ConfigProvider.layer(ConfigProvider.fromUnknown(settings))

/** Builds one as an operator would: settings, then the operator's acts, then the hosts. */
export const wholeInstallation = async ({ withWorker = true } = {}): Promise<WholeInstallation> => {
  const [{ desk, element, shop }, traces] = await Promise.all([shopDesk(), traceCollector()])
  const settings = { ...desk.environment, PORT: "0", OVERA_LISTEN_HOST: "127.0.0.1", OVERA_HOST_ID: "api-1", OVERA_WORKER_ID: "worker-1" }
  // The tracer reads OpenTelemetry's own variables, which belong to the process.
  process.env["OTEL_EXPORTER_OTLP_ENDPOINT"] = traces.url
  process.env["OTEL_TRACES_EXPORTER"] = "otlp"
  const log: Array<string> = []
  const api = await startRestApi(await Effect.runPromise(restApiConfig.pipe(Effect.provide(provided(settings)))), (line) => log.push(line))
  const config = await Effect.runPromise(workerConfig.pipe(Effect.provide(provided(settings))))
  const toLog = Logger.layer([Logger.map(Logger.formatJson, (line) => log.push(line))])
  const running = ManagedRuntime.make(withWorker ? worker(config).pipe(Layer.provide(toLog)) : Layer.empty)
  await running.context()
  let stopped: Promise<unknown> | undefined
  const stopHosts = async () => {
    stopped ??= Promise.all([api.stop(), running.dispose()])
    await stopped
  }
  return {
    desk,
    api,
    shop,
    element,
    traces,
    log,
    settings,
    stopHosts,
    close: async () => {
      await stopHosts()
      await Promise.all([desk.close(), traces.stop()])
    }
  }
}
