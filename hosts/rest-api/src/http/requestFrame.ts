import type { Caller } from "@overa/domain"
import { type Admitted, type InFlightRequests, newShare, type RequestShare, TransportRefusal } from "@overa/host-kit"
import type { Middleware, ParameterizedContext } from "koa"
import { randomUUID } from "node:crypto"
import { performance } from "node:perf_hooks"
import type { RequestLog } from "./RequestLog.ts"
import { codeAnswer } from "./errorAnswer.ts"
import { writeAnswer } from "./writeAnswer.ts"

/**
 * Around every request: its id on the answer, its line in the log, the count of requests in flight that a stopping host waits for, the headers that
 * every answer has, and a plain 500 where the middleware itself failed.
 */
export const requestFrame = (log: RequestLog, inFlight: InFlightRequests): Middleware => async (context, next) => {
  const startedAt = performance.now()
  const id = requestId(context.headers["x-request-id"])
  context.state["requestId"] = id
  context.set("X-Request-Id", id)
  context.set("X-Content-Type-Options", "nosniff")
  context.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
  context.set("Referrer-Policy", "no-referrer")
  if (inFlight.stopping) context.set("Connection", "close")
  const done = inFlight.begin()
  // A request is over only when its work is done and its answer is sent: a caller that disconnects does not end the work.
  let parts = 2
  const partOver = (): void => {
    if (--parts > 0) return
    done()
    const admitted = context.state["admitted"] as Admitted | undefined
    admitted?.leave()
    log.request(entryOf(context, id, performance.now() - startedAt))
  }
  context.res.once("close", partOver)
  try {
    await next()
  } catch (error) {
    log.fault(id, routeOf(context), error instanceof Error ? error.stack ?? error.message : String(error))
    writeAnswer(context, codeAnswer("INTERNAL_ERROR", "Internal error. Give the X-Request-Id to the operator."))
  } finally {
    partOver()
  }
}

const routeOf = (context: ParameterizedContext): string => (context.state["route"] as string | undefined) ?? "none"

const entryOf = (context: ParameterizedContext, id: string, ms: number) => {
  const caller = context.state["caller"] as Caller | undefined
  const share = (context.state["vpfrShare"] as RequestShare | undefined) ?? newShare()
  return {
    requestId: id,
    method: context.method,
    route: routeOf(context),
    status: context.res.statusCode,
    callerGone: !context.res.writableFinished,
    ms: Math.round(ms * 10) / 10,
    vpfrMs: Math.round(share.millis * 10) / 10,
    submissions: share.outcomes,
    organizationId: caller?.organizationId ?? null,
    clientId: caller?.clientId ?? null,
    operationId: (context.state["operationId"] as string | undefined) ?? null,
    ...(context.state["traceId"] === undefined ? {} : { traceId: context.state["traceId"] as string })
  }
}

const acceptable = /^[A-Za-z0-9._:-]{1,128}$/

/** The caller's `X-Request-Id` when it is safe to repeat and log, else a new one. Every answer carries it (Decisions §1). */
export const requestId = (header: string | ReadonlyArray<string> | undefined): string =>
  typeof header === "string" && acceptable.test(header) ? header : randomUUID()

const bearer = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i

/** The token of an `Authorization: Bearer` header (RFC 6750 §2.1); null when there is none. */
export const bearerToken = (header: string | undefined): string | null =>
  header === undefined ? null : bearer.exec(header)?.[1] ?? null

/** A challenge with its reason (RFC 6750 §3). */
export const bearerChallenge = (error: "invalid_token" | "insufficient_scope", description: string, scope?: string): string =>
  `Bearer error="${error}", error_description="${description}"${scope === undefined ? "" : `, scope="${scope}"`}`

/** The same answer to every missing, expired, foreign or malformed token (Decisions §10). */
export const unauthenticated = (sent: "nothing" | "a token") =>
  new TransportRefusal({
    code: "UNAUTHENTICATED",
    message: "The access token is missing, expired or not issued for this API; request a new one and repeat the same request.",
    // RFC 6750 §3: a caller that sent no token gets the scheme alone.
    headers: { "WWW-Authenticate": sent === "nothing" ? "Bearer" : bearerChallenge("invalid_token", "The access token is expired, malformed or not issued for this API") }
  })
