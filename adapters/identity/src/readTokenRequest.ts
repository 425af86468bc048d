import { Result } from "effect"
import { type TokenRequest, TokenRequestRefused } from "./TokenEndpoint.ts"

/** A well-formed client credentials request; whether the secret is right is not yet known. */
export interface ClientCredentialsRequest {
  readonly clientId: string
  readonly clientSecret: string
  /** The scopes asked for; null asks for all of the credential's. */
  readonly scopes: ReadonlyArray<string> | null
  readonly usedBasic: boolean
}

/** Our ids and secrets are some forty characters long. */
const longestField = 200

type Read<A> = Result.Result<A, TokenRequestRefused>

/** Reads the form and the `Authorization` header (RFC 6749 §2.3.1, §4.4.2). The client authenticates in exactly one way. */
export const readTokenRequest = (request: TokenRequest): Read<ClientCredentialsRequest> => {
  const usedBasic = request.authorization !== undefined
  const form = readForm(request.form)
  if (form === null) return refuse("invalid_request", "A parameter is repeated.", usedBasic)
  const grantType = form.get("grant_type")
  if (grantType === undefined) return refuse("invalid_request", "grant_type is missing.", usedBasic)
  if (grantType !== "client_credentials") {
    return refuse("unsupported_grant_type", "Only client_credentials is supported.", usedBasic)
  }
  const client = request.authorization === undefined
    ? clientOfForm(form)
    : clientOfBasic(request.authorization, form)
  if (Result.isSuccess(client) && (client.success.clientId.length > longestField || client.success.clientSecret.length > longestField)) {
    // Failed client ids are counted in memory; one of this length is never ours.
    return refuse("invalid_client", "Unknown client or wrong secret.", usedBasic)
  }
  return Result.map(client, (found) => ({ ...found, scopes: requestedScopes(form.get("scope")), usedBasic }))
}

const refuse = (error: TokenRequestRefused["error"], description: string, usedBasic: boolean): Result.Result<never, TokenRequestRefused> =>
  Result.fail(new TokenRequestRefused({ error, description, usedBasic, retryAfterSeconds: null }))

/** Null when a parameter is repeated, which RFC 6749 §3.2 forbids. An empty value counts as absent. */
const readForm = (text: string): ReadonlyMap<string, string> | null => {
  const form = new Map<string, string>()
  const seen = new Set<string>()
  for (const [name, value] of new URLSearchParams(text)) {
    if (seen.has(name)) return null
    seen.add(name)
    if (value !== "") form.set(name, value)
  }
  return form
}

const clientOfForm = (form: ReadonlyMap<string, string>): Read<{ clientId: string; clientSecret: string }> => {
  const clientId = form.get("client_id")
  const clientSecret = form.get("client_secret")
  return clientId === undefined || clientSecret === undefined
    ? refuse("invalid_client", "client_id and client_secret are required.", false)
    : Result.succeed({ clientId, clientSecret })
}

const clientOfBasic = (
  header: string,
  form: ReadonlyMap<string, string>
): Read<{ clientId: string; clientSecret: string }> => {
  const encoded = /^Basic +([A-Za-z0-9+/]+=*)$/i.exec(header)?.[1]
  const pair = encoded === undefined ? "" : Buffer.from(encoded, "base64").toString("utf8")
  const colon = pair.indexOf(":")
  const clientId = colon < 0 ? null : formDecoded(pair.slice(0, colon))
  const clientSecret = colon < 0 ? null : formDecoded(pair.slice(colon + 1))
  if (clientId === null || clientSecret === null || clientId === "" || clientSecret === "") {
    return refuse("invalid_client", "The Authorization header holds no HTTP Basic client credentials.", true)
  }
  if (form.has("client_secret")) return refuse("invalid_request", "Authenticate in one way, not two.", true)
  if ((form.get("client_id") ?? clientId) !== clientId) {
    return refuse("invalid_request", "client_id differs from the Authorization header.", true)
  }
  return Result.succeed({ clientId, clientSecret })
}

/** RFC 6749 §2.3.1: id and secret are form-encoded before they are joined. Null when they are not. */
const formDecoded = (text: string): string | null => {
  try {
    return decodeURIComponent(text.replaceAll("+", " "))
  } catch {
    return null
  }
}

const requestedScopes = (scope: string | undefined): ReadonlyArray<string> | null =>
  scope === undefined ? null : scope.split(" ").filter((one) => one !== "")
