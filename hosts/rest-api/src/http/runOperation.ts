import { type Caller, CredentialEnvironmentRequired, FiscalDocumentUnreadable, RequestFaults, tooManyNodes, traceStep } from "@overa/domain"
import { Callers } from "@overa/adapter-identity"
import { Cause, Clock, Effect, Exit, Option, Result } from "effect"
import type { Middleware, ParameterizedContext } from "koa"
import { type Admitted, callerGone, type FairSemaphore, networkOf, newShare, readBody, readJson, traced, TransportRefusal, VpfrShare } from "@overa/host-kit"
import type { HostContext } from "./HostContext.ts"
import { bearerChallenge, bearerToken, unauthenticated } from "./requestFrame.ts"
import { codeAnswer, errorAnswer } from "./errorAnswer.ts"
import { mediaTypeRefusal, textOfBody, textOfCsv } from "./bodyText.ts"
import { type Answer, bodyBytes, type BodyMediaType, type Call, type Operation } from "./Operation.ts"
import { pathId } from "./pathId.ts"
import { type Query, readQuery } from "./queryParameters.ts"
import { withinPremises } from "./withinPremises.ts"
import { writeAnswer } from "./writeAnswer.ts"

/**
 * Runs one declared operation: token, rate, scope, environment, then size, media type and JSON, in the order of Decisions §1, then
 * its handler. Whatever happens, the caller gets exactly one answer, and a fault of ours never shows its cause.
 */
export const runOperation = (host: HostContext, operation: Operation): Middleware => async (context) => {
  const share = newShare()
  context.state["vpfrShare"] = share
  const exit = await host.run(inTrace(operation, context, Effect.provideService(answerTo(host, operation, context), VpfrShare, share)))
  const answer = Exit.isSuccess(exit) ? exit.value : failureAnswer(host, context, operation, exit.cause)
  if (answer.status === 401 || answer.status === 429) {
    await host.refusals.until(callerOf(context), declaredBytes(context) > largeBytes ? "large" : "ordinary")
  }
  writeAnswer(context, answer)
  const caller = context.state["caller"] as Caller | undefined
  if (operation.method !== "GET" || caller === undefined) return
  host.rateLimiter.charge(credentialOf(caller), (answer.cost ?? 0) + Math.floor(bytesOf(context.body) / bytesOfReadRequest))
  if (!mayWait(context)) refuseAfterAll(context, answer)
}

/** The request as one trace, where the installation records them; its line in the log names it. */
const inTrace = <E, R>(operation: Operation, context: ParameterizedContext, answer: Effect.Effect<Answer, E, R>): Effect.Effect<Answer, E, R> =>
  traced(answer, {
    name: `${operation.method} ${operation.path}`,
    kind: "server",
    attributes: { "http.request.method": operation.method, "http.route": operation.path, "overa.request_id": context.state["requestId"] },
    endedWith: (exit) => ({ "http.response.status_code": Exit.isSuccess(exit) ? exit.value.status : Option.getOrUndefined(Option.map(Cause.findErrorOption(exit.cause), errorAnswer))?.status ?? 500 }),
    onTrace: (traceId) => {
      context.state["traceId"] = traceId
    }
  })

/** The answer's length; 0 for a stream. */
const bytesOf = (body: unknown): number => typeof body === "string" ? Buffer.byteLength(body) : Buffer.isBuffer(body) ? body.length : 0

/** The credential if the token was good, otherwise the network. */
const callerOf = ({ ip, state }: ParameterizedContext): string => {
  const caller = state["caller"] as Caller | undefined
  return caller === undefined ? networkOf(ip) : credentialOf(caller)
}

const refuseAfterAll = (context: ParameterizedContext, answer: Answer): void => {
  for (const name of Object.keys(answer.headers ?? {})) context.remove(name)
  const { code, facts, headers, message } = tooMany("large answers")
  writeAnswer(context, codeAnswer(code, message, facts, headers))
}

/** Whether a large answer may stay in memory until its caller has read it. Only readings are refused: of what was done, the caller is always told. */
const mayWait = ({ body, state }: ParameterizedContext): boolean => {
  const bytes = bytesOf(body)
  return bytes <= largeBytes || ((state["admitted"] as Admitted | undefined)?.answer(bytes) ?? true)
}

const answerTo = Effect.fnUntraced(function*(host: HostContext, operation: Operation, context: ParameterizedContext) {
  const params = (context as { readonly params?: Readonly<Record<string, string>> }).params ?? {}
  const caller = yield* traceStep("authenticate")(authenticate(host, context))
  yield* authorize(operation, caller)
  const admitted = yield* admit(host, context, caller)
  const body = operation.body === null ? null : yield* readInTime(context, traceStep("read the body")(readRequestBody(host, context, operation.body.mediaType, caller, admitted)))
  const query = yield* readDeclaredQuery(operation, context.querystring)
  const call: Call = {
    caller,
    params,
    query,
    body,
    idempotencyKey: context.get("Idempotency-Key") || undefined,
    ifNoneMatch: context.get("If-None-Match"),
    target: targetOf(operation, params),
    callerGone: callerGone(context.res),
    atItsTurn: isLarge(body) ? (work) => withPermit(host.largeBodies, caller.organizationId, Effect.sync(work)) : null
  }
  host.rateLimiter.charge(credentialOf(caller), operation.cost ?? 0)
  const handled = caller.premises === null
    ? operation.handle(call)
    : Effect.andThen(withinPremises(operation.premises, call, caller.premises), operation.handle(call))
  if (operation.readsDocument === true) return yield* withPermit(host.documents, caller.organizationId, handled)
  if (operation.isFile !== true) return yield* handled
  host.rateLimiter.charge(credentialOf(caller), requestsOfFile)
  return yield* withPermit(host.files, caller.organizationId, handled)
})

/** Bodies above this are read one at a time, with pauses, and answers above it are counted: of a receipt of a hundred lines, and up. */
const largeBytes = 16_384
/** What so many bytes of a large body cost is counted as one more request: lines of a receipt, or rows of a file of products. */
const bytesOfRequest = { "application/json": 1_024, "text/csv": 16_384 } as const
/** Each so many bytes of a read's answer count as one more request. */
const bytesOfReadRequest = 65_536
/** What loading and drawing a receipt costs, in requests. */
const requestsOfFile = 10

/** The body's length as its request says it; 0 where it is sent in chunks. */
const declaredBytes = ({ req }: ParameterizedContext): number => Number(req.headers["content-length"] ?? 0)

/** What a large body costs, in requests; one that is refused for its size costs nothing more. */
const requestsOfBody = (bytes: number, mediaType: BodyMediaType): number =>
  bytes > largeBytes && bytes <= bodyBytes[mediaType] ? Math.floor(bytes / bytesOfRequest[mediaType]) : 0

const isLarge = (body: Call["body"]): boolean => body !== null && body.text.length > largeBytes

const credentialOf = (caller: Caller): string => `${caller.organizationId} ${caller.clientId}`

const tooMany = (what: string) =>
  new TransportRefusal({
    code: "RATE_LIMITED",
    message: `This organization has as many ${what} under way as it may; nothing was done. Wait and repeat the same request.`,
    headers: { "Retry-After": "1" }
  })

/** Runs the work when it is the holder's turn, and lets the event loop serve everybody else before what follows it. */
const withPermit = <A, E, R>(gate: FairSemaphore, holder: string, work: Effect.Effect<A, E, R>): Effect.Effect<A, E | TransportRefusal<"RATE_LIMITED">, R> => {
  const turn = gate.enter(holder)
  if (turn === null) return Effect.fail(tooMany("large requests"))
  return Effect.flatMap(traceStep("wait for a permit")(Effect.promise(() => turn)), (leave) => Effect.ensuring(work, Effect.sync(leave))).pipe(
    Effect.tap(Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve))))
  )
}

/** A place in the host, given up when the request is over (requestFrame). */
const admit = (host: HostContext, context: ParameterizedContext, caller: Caller): Effect.Effect<Admitted, TransportRefusal> => {
  const admitted = host.admission.enter(caller.organizationId)
  if (admitted === null) return Effect.fail(tooMany("requests"))
  context.state["admitted"] = admitted
  return Effect.succeed(admitted)
}

/** Method and path with its parameters, in one spelling: upper and lower case of an identifier name the same thing. */
const targetOf = ({ method, path }: Operation, params: Call["params"]): string =>
  `${method} ${path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => pathId(params[name]) ?? params[name] ?? "")}`

const callerOfToken = Effect.fnUntraced(function*(context: ParameterizedContext) {
  const token = bearerToken(context.get("Authorization"))
  if (token === null) return yield* Effect.fail(unauthenticated(context.get("Authorization") === "" ? "nothing" : "a token"))
  const callers = yield* Callers
  return yield* callers.authenticate(token).pipe(
    Effect.catchTag("TokenRefused", () => Effect.fail(unauthenticated("a token")))
  )
})

/** A body that takes longer may end long after its token was revoked. An ordinary request's token is checked once. */
const promptBodyMillis = 1_000

/** Reads the body; where it came slowly, its token must still be good. Limits were charged before. */
const readInTime = Effect.fnUntraced(function*<A, E, R>(context: ParameterizedContext, reading: Effect.Effect<A, E, R>) {
  const began = yield* Clock.currentTimeMillis
  const body = yield* reading
  if ((yield* Clock.currentTimeMillis) - began > promptBodyMillis) yield* callerOfToken(context)
  return body
})

const authenticate = Effect.fnUntraced(function*(host: HostContext, context: ParameterizedContext) {
  const caller = yield* callerOfToken(context)
  context.state["caller"] = caller
  const decision = host.rateLimiter.take(credentialOf(caller), yield* Clock.currentTimeMillis)
  const { burst, perSecond } = host.rateLimiter.limit
  context.set("RateLimit-Policy", `"credential";q=${burst};w=${Math.ceil(burst / perSecond)}`)
  context.set("RateLimit", `"credential";r=${decision.remaining};t=${decision.retryAfterSeconds}`)
  if (decision.allowed) return caller
  return yield* Effect.fail(
    new TransportRefusal({
      code: "RATE_LIMITED",
      message: "This credential exceeds its request rate; nothing was done. Wait and repeat the same request.",
      headers: { "Retry-After": String(decision.retryAfterSeconds) }
    })
  )
})

const authorize = (
  operation: Operation,
  caller: Caller
): Effect.Effect<void, TransportRefusal | CredentialEnvironmentRequired> => {
  if (operation.scope !== null && !caller.scopes.has(operation.scope)) {
    return Effect.fail(
      new TransportRefusal({
        code: "INSUFFICIENT_SCOPE",
        message: `This operation needs the scope ${operation.scope}.`,
        facts: { scope: operation.scope },
        headers: { "WWW-Authenticate": bearerChallenge("insufficient_scope", "This operation needs another scope", operation.scope) }
      })
    )
  }
  return operation.needsEnvironment && caller.environment === null ? new CredentialEnvironmentRequired({}) : Effect.void
}

const readRequestBody = Effect.fnUntraced(function*(
  host: HostContext,
  context: ParameterizedContext,
  mediaType: BodyMediaType,
  caller: Caller,
  admitted: Admitted
) {
  // Before the body comes: a hundred large requests that arrive at once shall not all find the bucket full.
  const declared = requestsOfBody(declaredBytes(context), mediaType)
  host.rateLimiter.charge(credentialOf(caller), declared)
  const read = yield* Effect.tryPromise({
    try: () => readBody(context.req, bodyBytes[mediaType], admitted.body),
    catch: () => new TransportRefusal({ code: "MALFORMED_JSON", message: "The body ended early.", closes: true })
  })
  const bytes = yield* Effect.fromResult(read)
  host.rateLimiter.charge(credentialOf(caller), Math.max(0, requestsOfBody(bytes.length, mediaType) - declared))
  const refusal = mediaTypeRefusal(context.req.headers, mediaType)
  if (refusal !== null) return yield* Effect.fail(refusal)
  if (mediaType === "text/csv") return { text: yield* Effect.fromResult(textOfCsv(bytes)), tree: null }
  const text = yield* Effect.fromResult(textOfBody(bytes))
  const tree = bytes.length > largeBytes
    ? yield* withPermit(host.largeBodies, caller.organizationId, Effect.sync(() => readJson(text)))
    : readJson(text)
  if (Result.isSuccess(tree)) return { text, tree: tree.success }
  if (tree.failure.tooLarge === true) return yield* new RequestFaults({ faults: [tooManyNodes] })
  return yield* Effect.fail(new TransportRefusal({ code: "MALFORMED_JSON", message: tree.failure.message }))
})

/** A fault's key as the parameter is written: `pageSize`. */
const asParameter = (key: string): string => key.slice(0, 1).toLowerCase() + key.slice(1)

const readDeclaredQuery = (operation: Operation, search: string): Effect.Effect<Query, RequestFaults | TransportRefusal> =>
  Effect.mapError(Effect.fromResult(readQuery(operation.query, search)), (faults) =>
    operation.queryFaults === undefined
      ? faults
      : new TransportRefusal({
        code: operation.queryFaults,
        message: faults.faults.map(({ key, message }) => `${asParameter(key)} ${message}`).join("; ")
      }))

const failureAnswer = (
  host: HostContext,
  context: ParameterizedContext,
  operation: Operation,
  cause: Cause.Cause<unknown>
): Answer => {
  const known = Option.getOrNull(Option.map(Cause.findErrorOption(cause), errorAnswer))
  if (known !== null) return known
  host.log.fault(context.state["requestId"] as string, operation.path, Cause.pretty(cause))
  const defect = Result.getOrNull(Cause.findDefect(cause))
  return (defect instanceof FiscalDocumentUnreadable ? errorAnswer(defect) : null) ??
    codeAnswer("INTERNAL_ERROR", "Internal error. Give the X-Request-Id to the operator.")
}
