import type Koa from "koa"
import { type InFlightRequests, koaBehind, type TrustedProxies } from "@overa/host-kit"
import type { HostContext } from "./http/HostContext.ts"
import { requestFrame } from "./http/requestFrame.ts"
import { makeRoutes, noRoute, type PublicRoute } from "./http/router.ts"
import { operations } from "./operations/operations.ts"

/** The Koa application: a thin list of middleware over the declared operations. */
export const makeApp = (
  host: HostContext,
  inFlight: InFlightRequests,
  options: { readonly publicRoutes: ReadonlyArray<PublicRoute>; readonly trustProxy: TrustedProxies }
): Koa => {
  const app = koaBehind(options.trustProxy)
  const routes = makeRoutes(host, operations, options.publicRoutes)
  app.use(requestFrame(host.log, inFlight))
  app.use(routes.serve)
  app.use(noRoute(routes))
  // A connection that broke while an answer was written needs no handling; faults of the service are logged where they occur.
  app.on("error", () => undefined)
  return app
}
