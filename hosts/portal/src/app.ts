import Router from "@koa/router"
import { type Histogram, type InFlightRequests, koaBehind, type OperationalAnswer, type OperationalAnswers, type TrustedProxies } from "@overa/host-kit"
import type Koa from "koa"
import type { Middleware } from "koa"
import { assets } from "./assets/assets.ts"
import { isInPlace } from "./html/inPlace.ts"
import { pageHeaders } from "./http/pageHeaders.ts"
import type { PortalContext } from "./http/PortalContext.ts"
import { placePattern } from "./http/Place.ts"
import { openRoute } from "./http/Route.ts"
import { serveRoute } from "./http/serveRoute.ts"
import { NotFound } from "./http/visitOf.ts"
import { pageFolders } from "./pages/pages.ts"

export interface AppOptions {
  readonly trustProxy: TrustedProxies
  /** Health and metrics, by path. */
  readonly operational: OperationalAnswers
  readonly requests: Histogram
}

const serveOperationalAnswer = (ask: () => Promise<OperationalAnswer>): Middleware => async (context) => {
  const { body, mediaType, status } = await ask()
  context.status = status
  context.set("Content-Type", mediaType)
  context.set("Cache-Control", "no-store")
  context.body = body
}

const serveAsset = (path: string): Middleware => {
  const asset = Object.values(assets).find((it) => it.path === path)
  return (context) => {
    context.set("Cache-Control", "public, max-age=31536000, immutable")
    context.type = asset?.mediaType ?? ""
    context.body = asset?.bytes
  }
}

/** Around every request: its headers, the count of requests in flight that a stopping host waits for, its line in the log. */
const frame = (portal: PortalContext, inFlight: InFlightRequests, options: AppOptions): Middleware => async (context, next) => {
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
    const ms = Math.round(performance.now() - startedAt)
    options.requests.observe({ method: context.method, route, status: String(context.status) }, ms / 1_000)
    portal.log("request", { method: context.method, route, status: context.status, ms })
  }
}

const named = (route: string): Middleware => (context, next) => {
  context.state["route"] = route
  return next()
}

const notFound = openRoute("GET", "/:rest*", () => new NotFound({}))

/** The Koa application over the declared pages. */
export const makeApp = (portal: PortalContext, inFlight: InFlightRequests, options: AppOptions): Koa => {
  const app = koaBehind(options.trustProxy)
  const router = new Router({ sensitive: true, strict: true })
  for (const { path } of Object.values(assets)) router.get(path, named("/assets"), serveAsset(path))
  for (const [path, ask] of Object.entries(options.operational)) router.get(path, named(path), serveOperationalAnswer(ask))
  for (const route of pageFolders.flatMap((folder) => folder.routes)) {
    // One name for both addresses: the log and the metrics have no identifiers.
    const addresses = isInPlace(route) ? [route.path, placePattern + route.path] : [route.path]
    router.register(addresses, [route.method], [named(route.path), serveRoute(portal, route)])
  }
  app.use(frame(portal, inFlight, options))
  app.use(router.routes())
  app.use(serveRoute(portal, notFound))
  app.on("error", () => undefined)
  return app
}

