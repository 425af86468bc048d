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

/** The routes, all from declarations: every operation, and the public addresses. */
export const makeRouter = (
  host: HostContext,
  operations: ReadonlyArray<Operation>,
  publicRoutes: ReadonlyArray<PublicRoute>
): Router => {
  const router = new Router({ sensitive: true, strict: true })
  for (const operation of operations) {
    const path = operation.path.replaceAll(/\{(\w+)\}/g, ":$1")
    router.register(path, [operation.method], [named(operation.path), runOperation(host, operation)])
  }
  for (const route of publicRoutes) router.register(route.path, [route.method], [named(route.path), route.serve])
  return router
}

/** The declared path for the log, instead of the caller's. */
const named = (route: string): Middleware => (context, next) => {
  context.state["route"] = route
  return next()
}

/** A request that no route accepted: 405 with `Allow` where the path exists with another method, else 404 (Decisions §1). */
export const noRoute = (router: Router): Middleware => (context) => {
  const allowed = new Set(router.match(context.path, context.method).path.flatMap((layer) => layer.methods))
  const answer = allowed.size === 0
    ? codeAnswer("NOT_FOUND", "This release has no such path; /openapi.yaml lists the operations that it has.")
    : codeAnswer("METHOD_NOT_ALLOWED", `This path accepts ${[...allowed].join(", ")}.`, {}, { Allow: [...allowed].join(", ") })
  writeAnswer(context, answer)
}
