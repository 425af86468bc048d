import { TokenEndpoint, type TokenRequestRefused } from "@overa/adapter-identity"
import { GrantableScope } from "@overa/domain"
import { Cause, Effect, Exit, Option, Result } from "effect"
import type { Middleware } from "koa"
import type { HostContext } from "./HostContext.ts"
import { codeAnswer } from "./errorAnswer.ts"
import { mediaTypeRefusal } from "./bodyText.ts"
import { callerGone, guessingNetworkOf, networkOf, readBody } from "@overa/host-kit"
import type { Answer } from "./Operation.ts"
import type { PublicRoute } from "./router.ts"
import { nullIfLeft, unread } from "./untilGone.ts"
import { writeAnswer } from "./writeAnswer.ts"

export const tokenPath = "/oauth/token"
export const keySetPath = "/oauth/jwks.json"

/** Where a client that knows the issuer finds the other addresses (RFC 8414 §3). */
const metadataPath = "/.well-known/oauth-authorization-server"

/** The issuer of the tokens and the address at which they are issued. Without other configuration, the issuer is that address. */
export interface Issuing {
  readonly issuer: string
  readonly baseUrl: string
}

const serveMetadata = ({ baseUrl, issuer }: Issuing): Middleware => (context) =>
  writeAnswer(context, {
    status: 200,
    headers: { "Cache-Control": "public, max-age=300" },
    json: {
      issuer,
      token_endpoint: baseUrl + tokenPath,
      jwks_uri: baseUrl + keySetPath,
      grant_types_supported: ["client_credentials"],
      response_types_supported: [],
      token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
      scopes_supported: GrantableScope.literals,
      service_documentation: `${baseUrl}/docs`
    }
  })

/** A token request is a few short fields. */
const formBytes = 16_384

/** Tokens must not be kept by caches (RFC 6749 §5.1). */
const noStore = { "Cache-Control": "no-store", Pragma: "no-cache" }

/** Our own token endpoint and the keys its tokens verify with. Source: Spec, Authentication 1, 2; Decisions §7. */
export const tokenRoutes = (host: HostContext, issuing: Issuing): ReadonlyArray<PublicRoute> => [
  { method: "GET", path: metadataPath, serve: serveMetadata(issuing) },
  { method: "POST", path: tokenPath, serve: serveToken(host) },
  { method: "GET", path: keySetPath, serve: serveKeySet(host) }
]

const serveToken = (host: HostContext): Middleware => async (context) => {
  const body = await readBody(context.req, formBytes).catch(nullIfLeft)
  if (body === null) return writeAnswer(context, oauthError(400, "invalid_request", "The form ended early."))
  if (Result.isFailure(body) || mediaTypeRefusal(context.req.headers, "application/x-www-form-urlencoded") !== null) {
    return writeAnswer(context, oauthError(400, "invalid_request", "Send a short form, application/x-www-form-urlencoded, in UTF-8."))
  }
  const authorization = context.get("Authorization")
  const request = {
    authorization: authorization === "" ? undefined : authorization,
    form: body.success.toString("utf8"),
    address: guessingNetworkOf(context.ip)
  }
  const turn = host.strangers.enter(networkOf(context.ip), callerGone(context.res))
  if (turn === null) {
    return writeAnswer(context, { ...oauthError(429, "temporarily_unavailable", "Too many token requests from this address; wait."), headers: { ...noStore, "Retry-After": "1" } })
  }
  const leave = await turn.catch(nullIfLeft)
  if (leave === null) return writeAnswer(context, unread)
  const exit = await host.run(Effect.flatMap(TokenEndpoint, (endpoint) => endpoint.issue(request))).finally(leave)
  if (Exit.isSuccess(exit)) return writeAnswer(context, { status: 200, headers: noStore, json: exit.value })
  const failure = Option.getOrNull(Cause.findErrorOption(exit.cause))
  if (failure?._tag === "TokenRequestRefused") return writeAnswer(context, refusalAnswer(failure))
  host.log.fault(context.state["requestId"] as string, tokenPath, Cause.pretty(exit.cause))
  writeAnswer(
    context,
    failure === null
      ? oauthError(500, "server_error", "Something went wrong on our side.")
      : { ...oauthError(503, "temporarily_unavailable", "Tokens cannot be issued at this moment; try again."), headers: { ...noStore, "Retry-After": "2" } }
  )
}

const refusalAnswer = (refused: TokenRequestRefused): Answer => {
  const status = refused.retryAfterSeconds !== null ? 429 : refused.error === "invalid_client" ? 401 : 400
  return {
    ...oauthError(status, refused.error, refused.description),
    headers: {
      ...noStore,
      ...(status === 401 ? { "WWW-Authenticate": "Basic realm=\"token\"" } : {}),
      ...(refused.retryAfterSeconds === null ? {} : { "Retry-After": String(refused.retryAfterSeconds) })
    }
  }
}

const oauthError = (status: number, error: string, description: string): Answer => ({
  status,
  headers: noStore,
  json: { error, error_description: description }
})

const serveKeySet = (host: HostContext): Middleware => async (context) => {
  const exit = await host.run(Effect.flatMap(TokenEndpoint, (endpoint) => endpoint.keySet))
  writeAnswer(
    context,
    Exit.isSuccess(exit)
      ? { status: 200, headers: { "Cache-Control": "public, max-age=60" }, json: exit.value }
      : codeAnswer("STORE_UNAVAILABLE", "The keys cannot be read at this moment; try again.")
  )
}
