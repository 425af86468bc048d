import { Admission, FairSemaphore, Histogram, InFlightRequests, isWritten, type Level, listen, logLine, metric, operationalAnswers, stopServing, type TrustedProxies, type WriteLine } from "@overa/host-kit"
import { type Exit, type Layer, ManagedRuntime, type Redacted } from "effect"
import { makeApp } from "./app.ts"
import { TokenSigner } from "./http/TokenSigner.ts"
import type { PortalContext } from "./http/PortalContext.ts"
import { SealedDrafts } from "./http/SealedDrafts.ts"
import type { PortalServices } from "./layers.ts"

/** What a portal needs besides its services. */
export interface PortalOptions {
  readonly host: string
  /** 0 means any free port. */
  readonly port: number
  /** The address in the browser; null means the one listened on. */
  readonly baseUrl: string | null
  readonly trustProxy: TrustedProxies
  /** Connections kept open at most; default 8 192. */
  readonly connections?: number
  /** Makes the proofs in forms and the marks of devices. */
  readonly key: Redacted.Redacted<Uint8Array>
  /** Keys whose marks are still accepted while the key is being replaced. */
  readonly formerKeys?: ReadonlyArray<Redacted.Redacted<Uint8Array>>
  readonly write: WriteLine
  /** Lines below this level are not written; default `info`. */
  readonly logLevel?: Level
  readonly stopMillis: number
}

/** One network may have at most as much as is still free, so alone half. */
const capacity = { requests: 256, bodyBytes: 33_554_432, answerBytes: 0 }
/** After each form its place rests for the same time, so that comparing passwords uses at most half of the threads. */
const strangers = { places: 2, waitingEach: 32, waitingTogether: 512, rest: 1 }

/** A running portal. */
export interface RunningPortal {
  readonly url: string
  readonly stop: () => Promise<void>
}

/** Serves the portal with one runtime. Fails when a service cannot be built or the port is taken; then nothing is left running. */
export const servePortal = async <E>(services: Layer.Layer<PortalServices, E>, options: PortalOptions): Promise<RunningPortal> => {
  const runtime = ManagedRuntime.make(services)
  const inFlight = new InFlightRequests()
  try {
    await runtime.context()
    const listening = await listen((request, response) => handler(request, response), options, "OVERA_PORTAL_PORT")
    const origin = options.baseUrl ?? `http://127.0.0.1:${listening.port}`
    const portal: PortalContext = {
      address: { origin: new URL(origin).origin, secure: origin.startsWith("https:") },
      signer: new TokenSigner(options.key, options.formerKeys),
      drafts: new SealedDrafts(options.key, options.formerKeys),
      admission: new Admission(capacity),
      strangers: new FairSemaphore(strangers),
      run: <A, F>(effect: Parameters<typeof runtime.runPromiseExit<A, F>>[0]) => runtime.runPromiseExit(effect) as Promise<Exit.Exit<A, F>>,
      log: (event, facts) =>
        {
        const level = event === "fault" ? "error" : "info"
        if (isWritten(level, options.logLevel ?? "info")) options.write(logLine(level, event, facts))
      }
    }
    const requests = new Histogram("overa_portal_request_seconds", "Whole requests of the portal, by declared path and status.")
    const operational = operationalAnswers({
      run: portal.run,
      isStopping: () => inFlight.stopping,
      metrics: () => metric("overa_portal_requests_in_flight", "gauge", "Requests of the portal in flight.", [[{}, inFlight.size]]) + requests.text()
    })
    const handler = makeApp(portal, inFlight, { trustProxy: options.trustProxy, operational, requests }).callback()
    return { url: origin, stop: () => stopServing(listening, inFlight, runtime, options.stopMillis) }
  } catch (error) {
    await runtime.dispose()
    throw error
  }
}
