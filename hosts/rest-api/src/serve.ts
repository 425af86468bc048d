import { type Exit, type Layer, ManagedRuntime } from "effect"
import { makeApp } from "./app.ts"
import { documentationRoutes } from "./documentation/documentationRoutes.ts"
import { Admission, type Capacity, FairSemaphore, InFlightRequests, type Level, listen, loopMillis, stopServing, type TrustedProxies, type WriteLine } from "@overa/host-kit"
import type { HostServices } from "./http/HostServices.ts"
import { inTurn } from "./http/inTurn.ts"
import { logKeyRoute } from "./http/logKeyRoute.ts"
import { type RateLimit, RateLimiter } from "./http/RateLimiter.ts"
import { RefusalPause } from "./http/RefusalPause.ts"
import { requestLog } from "./http/RequestLog.ts"
import { keySetPath, tokenPath, tokenRoutes } from "./http/tokenRoutes.ts"
import { contractRoutes } from "./openapi/contractRoutes.ts"
import type { TryItOut } from "./openapi/referencePage.ts"
import { Measurements } from "./operational/Measurements.ts"
import { verifyRoute } from "./documentation/verifyRoute.ts"
import { securityText } from "./operational/securityText.ts"
import { operationalRoutes } from "./operational/operationalRoutes.ts"

/** What a host needs besides its services. */
export interface ServeOptions {
  readonly host: string
  /** 0 means any free port. */
  readonly port: number
  /** The address callers use; null means the one listened on. */
  readonly baseUrl: string | null
  /** The `iss` of our own tokens; client libraries find the token endpoint below it when it is the base address. */
  readonly issuer: string
  /** The token endpoint of an external issuer; null means ours. */
  readonly externalTokenUrl: string | null
  /** The operator's contact address; part of the contract. */
  readonly contactEmail: string | null
  /** A credential for the reference's "Try it out"; only a sandbox offers one. */
  readonly tryItOut: TryItOut | null
  readonly trustProxy: TrustedProxies
  /** Connections kept open at most; default 8 192. */
  readonly connections?: number
  readonly rateLimit: RateLimit
  readonly capacity: Capacity
  /** The contact for reports of weaknesses; null for none. */
  readonly securityContact?: string | null
  readonly write: WriteLine
  /** Lines below this level are not written; default `info`. */
  readonly logLevel?: Level
  /** How long a stopping host waits for requests in flight, in milliseconds (Decisions §8: deadline + 5 s). */
  readonly stopMillis: number
}

/** A running host. `stop` accepts no new connection, lets requests in flight reach their answer, and ends. */
export interface RunningRestApi {
  readonly url: string
  readonly authUrl: string
  readonly jwksUrl: string
  readonly stop: () => Promise<void>
}

/** After a large body was read, three times as long is left to other requests; only a few receipts at a time are in memory for drawing. */
const gates = {
  largeBodies: { places: 1, waitingEach: 64, waitingTogether: 512, rest: 3 },
  documents: { places: 8, waitingEach: 256, waitingTogether: 2_048 },
  files: { places: 2, waitingEach: 128, waitingTogether: 1_024, rest: 4, clock: loopMillis },
  pages: { places: 1, waitingEach: 64, waitingTogether: 512, rest: 4 },
  strangers: { places: 4, waitingEach: 256, waitingTogether: 2_048, rest: 2 }
}

/** Serves the API with one runtime. Fails when a service cannot be built or the port is taken; then nothing is left running. */
export const serve = async <E>(
  services: Layer.Layer<HostServices, E>,
  options: ServeOptions
): Promise<RunningRestApi> => {
  const runtime = ManagedRuntime.make(services)
  const inFlight = new InFlightRequests()
  const measurements = new Measurements()
  try {
    await runtime.context()
    const host = {
      // Services that could not be built have failed on the line above; here only the effect's own exit remains.
      run: <A, F>(effect: Parameters<typeof runtime.runPromiseExit<A, F>>[0]) =>
        runtime.runPromiseExit(effect) as Promise<Exit.Exit<A, F>>,
      log: measurements.measuring(requestLog(options.write, options.logLevel)),
      rateLimiter: new RateLimiter(options.rateLimit),
      refusals: new RefusalPause(),
      admission: new Admission(options.capacity),
      largeBodies: new FairSemaphore(gates.largeBodies),
      documents: new FairSemaphore(gates.documents),
      files: new FairSemaphore(gates.files),
      strangers: new FairSemaphore(gates.strangers),
      pages: new FairSemaphore(gates.pages)
    }
    const listening = await listen((request, response) => handler(request, response), options)
    const baseUrl = options.baseUrl ?? `http://127.0.0.1:${listening.port}`
    const authUrl = options.externalTokenUrl ?? baseUrl + tokenPath
    const publicRoutes = [
      ...operationalRoutes(host, inFlight, measurements),
      ...documentationRoutes().map((route) => inTurn(host.pages, route)),
      ...contractRoutes({ baseUrl, tokenUrl: authUrl, contactEmail: options.contactEmail }, options.tryItOut).map((route) => inTurn(host.pages, route)),
      inTurn(host.pages, verifyRoute),
      inTurn(host.pages, logKeyRoute(host)),
      ...securityText(options.securityContact ?? null, baseUrl),
      ...(options.externalTokenUrl === null ? tokenRoutes(host, { issuer: options.issuer, baseUrl }) : [])
    ]
    const handler = makeApp(host, inFlight, { publicRoutes, trustProxy: options.trustProxy }).callback()
    return {
      url: baseUrl,
      authUrl,
      jwksUrl: baseUrl + keySetPath,
      stop: () => stopServing(listening, inFlight, runtime, options.stopMillis)
    }
  } catch (error) {
    await runtime.dispose()
    throw error
  }
}
