import type { OidcSettings } from "@overa/adapter-identity"
import { hostIdConfig, isSafe, type IssuingConfig, issuingConfig, listeningConfig, optional, optionalAddress, problem, required, type TrustedProxies } from "@overa/host-kit"
import { mailConfig, type MailConnection } from "@overa/host-kit/mail"
import { Effect, Redacted } from "effect"

/** The settings of a portal. The variables have the REST host's names, so that one file of variables serves all. */
export interface PortalConfig extends IssuingConfig {
  readonly listenHost: string
  /** 0 means any free port. */
  readonly port: number
  /** The address in the browser, without a final slash; null means the one listened on. */
  readonly baseUrl: string | null
  /** Take the visitor's address from the proxy's `X-Forwarded-For`. */
  readonly trustProxy: TrustedProxies
  /** Connections kept open at most. */
  readonly connections?: number
  /** The workers' mail server, where this host is told its sender too: a rehearsal of going live asks it. */
  readonly mail: MailConnection | null
  /** The OpenID Connect issuer for signing in; null: only e-mail and password. */
  readonly signInIssuer: OidcSettings | null
}

/** All variables of the issuer, or none. */
const signInIssuer = Effect.gen(function*() {
  const text = yield* optionalAddress("OVERA_PORTAL_OIDC_ISSUER")
  if (text === null) return null
  const issuer = new URL(text)
  // The client's secret and the person's name are sent over this connection.
  if (!isSafe(issuer)) return yield* problem(`OVERA_PORTAL_OIDC_ISSUER must be an https address outside this machine, not "${text}"`)
  return {
    issuer,
    clientId: yield* required("OVERA_PORTAL_OIDC_CLIENT_ID"),
    clientSecret: Redacted.make(yield* required("OVERA_PORTAL_OIDC_CLIENT_SECRET")),
    name: (yield* optional("OVERA_PORTAL_OIDC_NAME")) ?? issuer.host
  } satisfies OidcSettings
})

/** Reads the environment. The first missing or malformed value stops it with one line that names the variable (Decisions §8). */
export const portalConfig = Effect.gen(function*() {
  return {
    ...(yield* listeningConfig({ port: "OVERA_PORTAL_PORT", defaultPort: 8_090, address: "OVERA_PORTAL_URL" })),
    ...(yield* issuingConfig),
    mail: (yield* optional("OVERA_MAIL_SENDER")) === null ? null : yield* mailConfig,
    signInIssuer: yield* signInIssuer,
    hostId: yield* hostIdConfig("OVERA_PORTAL_ID", " portal")
  } satisfies PortalConfig
})
