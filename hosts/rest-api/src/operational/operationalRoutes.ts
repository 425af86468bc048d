import { type InFlightRequests, metric, type OperationalAnswer, operationalAnswers } from "@overa/host-kit"
import type { HostContext } from "../http/HostContext.ts"
import type { PublicRoute } from "../http/router.ts"
import type { Measurements } from "./Measurements.ts"

const routeOf = ([path, ask]: readonly [string, () => Promise<OperationalAnswer>]): PublicRoute => ({
  method: "GET",
  path,
  serve: async (context) => {
    const { body, mediaType, status } = await ask()
    context.status = status
    context.set("Content-Type", mediaType)
    context.set("Cache-Control", "no-store")
    context.body = body
  }
})

/** Liveness, readiness and metrics of an API host. */
export const operationalRoutes = (host: HostContext, inFlight: InFlightRequests, measurements: Measurements): ReadonlyArray<PublicRoute> => {
  const answers = operationalAnswers({
    run: host.run,
    isStopping: () => inFlight.stopping,
    metrics: () => metric("overa_requests_in_flight", "gauge", "Requests in flight.", [[{}, inFlight.size]]) + measurements.text()
  })
  return Object.entries(answers).map(routeOf)
}
