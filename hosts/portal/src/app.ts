import Router from "@koa/router"
import { InFlightRequests, koaBehind, type TrustedProxies } from "@overa/host-kit"
import type Koa from "koa"
import type { Middleware } from "koa"
import { assets } from "./assets/assets.ts"
import { pageHeaders } from "./http/pageHeaders.ts"
import type { PortalContext } from "./http/PortalContext.ts"
import { openRoute } from "./http/Route.ts"
import { serveRoute } from "./http/serveRoute.ts"
import { NotFound } from "./http/visitOf.ts"
import { pageFolders } from "./pages/pages.ts"

const serveAsset = (path: string): Middleware => {
  const asset = Object.values(assets).find((it) => it.path === path)
  return (context) => {
    context.set("Cache-Control", "public, max-age=31536000, immutable")
    context.type = asset?.mediaType ?? ""
    context.body = asset?.bytes
  }
}

/** Around every request: its headers, the count of requests in flight that a stopping host waits for, its line in the log. */
const frame = (portal: PortalContext, inFlight: InFlightRequests): Middleware => async (context, next) => {
  const startedAt = performance.now()
  const done = inFlight.begin()
  if (inFlight.stopping) context.set("Connection", "close")
  context.set(pageHeaders(portal.address.secure))
  try {
    await next()
  } finally {
    done()
    // The declared path, never the actual one, which contains identifiers and tokens.
    const route = (context.state["route"] as string | undefined) ?? "none"
    portal.log("request", { method: context.method, route, status: context.status, ms: Math.round(performance.now() - startedAt) })
  }
}

const named = (route: string): Middleware => (context, next) => {
  context.state["route"] = route
  return next()
}

const notFound = openRoute("GET", "/:rest*", () => new NotFound({}))

/** The Koa application over the declared pages. */
export const makeApp = (portal: PortalContext, inFlight: InFlightRequests, options: { readonly trustProxy: TrustedProxies }): Koa => {
  const app = koaBehind(options.trustProxy)
  const router = new Router({ sensitive: true, strict: true })
  for (const { path } of Object.values(assets)) router.get(path, named("/assets"), serveAsset(path))
  router.get("/health/live", named("/health/live"), (context) => {
    context.body = "live"
  })
  for (const route of pageFolders.flatMap((folder) => folder.routes)) {
    router.register(route.path, [route.method], [named(route.path), serveRoute(portal, route)])
  }
  app.use(frame(portal, inFlight))
  app.use(router.routes())
  app.use(serveRoute(portal, notFound))
  app.on("error", () => undefined)
  return app
}

