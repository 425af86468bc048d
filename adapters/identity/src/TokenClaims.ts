import { type Caller, Environment, GrantableScope, OrganizationId } from "@overa/domain"
import { Option, Result, Schema } from "effect"

/** The claims this service reads; an issuer may send more. Source: Spec, Authentication 3; Decisions §7. */
const TokenClaims = Schema.Struct({
  org_id: OrganizationId,
  svc_env: Schema.optionalKey(Schema.NullOr(Environment)),
  scope: Schema.optionalKey(Schema.String),
  azp: Schema.optionalKey(Schema.NonEmptyString),
  client_id: Schema.optionalKey(Schema.NonEmptyString),
  exp: Schema.Finite
})

const decodeClaims = Schema.decodeUnknownResult(TokenClaims)
const knownScopes: ReadonlySet<string> = new Set(GrantableScope.literals)
const isScope = (text: string): text is GrantableScope => knownScopes.has(text)

/** The caller of a verified token, and when the token ends (seconds since 1970); none when a claim is missing or malformed. */
export const callerOfClaims = (
  claims: unknown
): Option.Option<{ readonly caller: Caller; readonly expiresAt: number }> => {
  const decoded = decodeClaims(claims)
  if (Result.isFailure(decoded)) return Option.none()
  const { azp, client_id, exp, org_id, scope, svc_env } = decoded.success
  const clientId = azp ?? client_id
  if (clientId === undefined) return Option.none()
  return Option.some({
    caller: {
      organizationId: org_id,
      environment: svc_env ?? null,
      clientId,
      // Another issuer's own scopes (`profile`, `email`) mean nothing here.
      scopes: new Set((scope ?? "").split(" ").filter(isScope)),
      // What a credential is restricted to is known where credentials are stored, and is in no claim.
      premises: null
    },
    expiresAt: exp
  })
}
