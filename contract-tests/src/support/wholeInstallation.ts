import { restApiConfig, type RunningRestApi, startRestApi } from "@overa/rest-api"
import type { Element } from "@overa/vpfr-simulator"
import { worker, workerConfig } from "@overa/worker"
import { ConfigProvider, Effect, Layer, Logger, ManagedRuntime } from "effect"
import { type OperatorDesk, operatorDesk } from "./operatorDesk.ts"
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

export interface Shop {
  readonly organizationId: string
  readonly taxpayerId: string
  readonly businessPremiseId: string
  readonly clientId: string
  readonly clientSecret: string
}

interface Signer {
  readonly uid: string
  readonly publicKeyPem: string
}

const because = ["--reason", "made for a test", "--json"]

/** The first organization with a sandbox shop, as an operator sets it up. */
export const openShop = async (desk: Pick<OperatorDesk, "admin" | "file"> & { readonly simulator: Pick<OperatorDesk["simulator"], "controlUrl" | "issueElement"> }): Promise<{ readonly shop: Shop; readonly element: Element }> => {
  const run = async (...args: ReadonlyArray<string>) => {
    const answer = await desk.admin([...args, ...because])
    if (answer.code !== 0) throw new Error(answer.err)
    return answer.json as Readonly<Record<string, string>>
  }
  const place = { businessName: "Књижара Зора", tin: "100000049", locationName: "Веб", address: "Његошева 12", city: "Београд" }
  const element = await desk.simulator.issueElement({ environment: "sandbox", ...place })
  await run("token-keys", "add")
  await run("environment", "set", "sandbox", "--esir", "999/0.1")
  const secrets = { OVERA_PFX_PASSWORD: element.password, OVERA_PFX_PAC: element.pac }
  const added = await desk.admin(["pool", "add", "--pfx", desk.file("element.pfx", element.pfx), ...because], { environment: secrets })
  if (added.code !== 0) throw new Error(added.err)
  // With every signer known, each receipt's signature is verified: a wrong result would be on the attention list.
  const { sandbox: signers } = await (await fetch(`${desk.simulator.controlUrl}/signers`)).json() as { readonly sandbox: ReadonlyArray<Signer> }
  for (const { publicKeyPem, uid } of signers) await run("reference", "add-signer", "sandbox", uid, "--pem", desk.file(`${uid}.pem`, publicKeyPem))
  const { id: organizationId = "" } = await run("organizations", "add", "Књижара Зора")
  const options = ["--environment", "sandbox", "--tax-id", place.tin, "--name", place.businessName, "--vat", "IN_VAT", "--pu", "1000001", "--premise", "Веб"]
  const { businessPremiseId = "", id: taxpayerId = "" } = await run("taxpayers", "add", organizationId, ...options)
  const { clientId = "", clientSecret = "" } = await run("credentials", "issue", organizationId, "--environment", "sandbox")
  return { element, shop: { organizationId, taxpayerId, businessPremiseId, clientId, clientSecret } }
}

const provided = (settings: Readonly<Record<string, string>>) => ConfigProvider.layer(ConfigProvider.fromUnknown(settings))

/** Builds one as an operator would: settings, then the operator's acts, then the hosts. */
export const wholeInstallation = async ({ withWorker = true } = {}): Promise<WholeInstallation> => {
  const [desk, traces] = await Promise.all([operatorDesk(), traceCollector()])
  const { element, shop } = await openShop(desk)
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
