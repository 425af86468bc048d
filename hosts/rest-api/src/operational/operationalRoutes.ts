import { type InstallationFigures, InstallationOversight } from "@overa/domain"
import { Effect, Exit, Option } from "effect"
import type { ParameterizedContext } from "koa"
import type { HostContext } from "../http/HostContext.ts"
import { type InFlightRequests, installationMetrics, metric, type Readiness, readiness } from "@overa/host-kit"
import type { PublicRoute } from "../http/router.ts"
import type { Measurements } from "./Measurements.ts"

/** Answers are cached briefly: these addresses need no token, and the store's time is for receipts. */
const remembered = <A>(millis: number, ask: () => Promise<A>): () => Promise<A> => {
  let last: { readonly at: number; readonly answer: Promise<A> } | null = null
  return () => {
    const now = performance.now()
    if (last === null || now - last.at > millis) last = { at: now, answer: ask() }
    return last.answer
  }
}

const answer = (context: ParameterizedContext, status: number, mediaType: string, body: string): void => {
  context.status = status
  context.set("Content-Type", mediaType)
  context.set("Cache-Control", "no-store")
  context.body = body
}

const json = "application/json"
const prometheusText = "text/plain; version=0.0.4; charset=utf-8"

const stopping: Readiness = { ready: false, reasons: ["the host is stopping"], notes: [] }
const broken: Readiness = { ready: false, reasons: ["the host's own state cannot be read"], notes: [] }

const figures: Effect.Effect<InstallationFigures | null> = Effect.gen(function*() {
  const oversight = yield* Effect.serviceOption(InstallationOversight)
  return Option.isNone(oversight) ? null : yield* oversight.value.figures
}).pipe(Effect.timeout("2 seconds"), Effect.catch(() => Effect.succeed(null)))

/** Liveness, readiness and metrics: for the load balancer and the operator's monitoring, without a token and without personal data. */
export const operationalRoutes = (host: HostContext, inFlight: InFlightRequests, measurements: Measurements): ReadonlyArray<PublicRoute> => {
  const askReadiness = remembered(1_000, async () => {
    const exit = await host.run(readiness)
    return Exit.isSuccess(exit) ? exit.value : broken
  })
  const askFigures = remembered(5_000, async () => {
    const exit = await host.run(figures)
    return Exit.isSuccess(exit) ? exit.value : null
  })
  const metrics = async (): Promise<string> => {
    const found = await askFigures()
    return [
      metric("overa_store_up", "gauge", "Whether the store answered this host.", [[{}, found === null ? 0 : 1]]),
      metric("overa_requests_in_flight", "gauge", "Requests in flight.", [[{}, inFlight.size]]),
      metric("process_resident_memory_bytes", "gauge", "Memory of this process.", [[{}, process.memoryUsage.rss()]]),
      found === null ? "" : installationMetrics(found, Date.now()),
      measurements.text()
    ].join("")
  }
  return [
    { method: "GET", path: "/health/live", serve: (context) => answer(context, 200, json, JSON.stringify({ live: true })) },
    {
      method: "GET",
      path: "/health/ready",
      serve: async (context) => {
        const state = inFlight.stopping ? stopping : await askReadiness()
        answer(context, state.ready ? 200 : 503, json, JSON.stringify(state))
      }
    },
    { method: "GET", path: "/metrics", serve: async (context) => answer(context, 200, prometheusText, await metrics()) }
  ]
}
