import Router from "@koa/router"
import type { Middleware } from "koa"
import type { HostContext } from "./HostContext.ts"
import { codeAnswer } from "./errorAnswer.ts"
import type { Operation } from "./Operation.ts"
import { runOperation } from "./runOperation.ts"
import { writeAnswer } from "./writeAnswer.ts"

/** A public address that is no operation of the contract: the contract itself, its reference, the token endpoint. */
export interface PublicRoute {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly serve: Middleware
}

/** All routes of the host. */
export interface Routes {
  /** Runs the route of a request; a request that has none goes on to the next middleware. */
  readonly serve: Middleware
  /** The methods that a path accepts; empty where no route has the path. */
  readonly methodsAt: (path: string) => ReadonlyArray<string>
}

/** What two paths of one resource have in common: the first two segments, in which no declared path has a parameter. */
const resourceOf = (path: string): string => path.split("/", 3).join("/")

/**
 * The routes, all from declarations: every operation, and the public addresses. Each resource has a router of its own, because a router compares a
 * request with all its routes: with one for all, a sale was compared with more than a hundred.
 */
export const makeRoutes = (
  host: HostContext,
  operations: ReadonlyArray<Operation>,
  publicRoutes: ReadonlyArray<PublicRoute>
): Routes => {
  const routers = new Map<string, Router>()
  const register = (method: string, path: string, serve: Middleware): void => {
    const resource = resourceOf(path)
    const router = routers.get(resource) ?? new Router({ sensitive: true, strict: true })
    routers.set(resource, router)
    router.register(path.replaceAll(/\{(\w+)\}/g, ":$1"), [method], [named(path), serve])
  }
  for (const operation of operations) register(operation.method, operation.path, runOperation(host, operation))
  for (const route of publicRoutes) register(route.method, route.path, route.serve)
  // The router itself adds to the context what its type asks for.
  const served = new Map([...routers].map(([resource, router]) => [resource, router.routes() as Middleware]))
  return {
    serve: (context, next) => {
      const serve = served.get(resourceOf(context.path))
      return serve === undefined ? next() : serve(context, next)
    },
    methodsAt: (path) => [...new Set(routers.get(resourceOf(path))?.match(path, "GET").path.flatMap((layer) => layer.methods))]
  }
}

/** The declared path for the log, instead of the caller's. */
const named = (route: string): Middleware => (context, next) => {
  context.state["route"] = route
  return next()
}

/** A request that no route accepted: 405 with `Allow` where the path exists with another method, else 404 (Decisions §1). */
export const noRoute = (routes: Routes): Middleware => (context) => {
  const allowed = routes.methodsAt(context.path).join(", ")
  const answer = allowed === ""
    ? codeAnswer("NOT_FOUND", "This release has no such path; /openapi.yaml lists the operations that it has.")
    : codeAnswer("METHOD_NOT_ALLOWED", `This path accepts ${allowed}.`, {}, { Allow: allowed })
  writeAnswer(context, answer)
}
