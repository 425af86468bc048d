import {
  addressWithQuery,
  type Capacity,
  type ConfigProblem,
  hostIdConfig,
  isSafe,
  type IssuingConfig,
  issuingConfig,
  listeningConfig,
  optional,
  problem,
  required,
  type TrustedProxies,
  wholeNumber
} from "@overa/host-kit"
import { Effect } from "effect"
import type { RateLimit } from "./http/RateLimiter.ts"

/** Who issues the tokens: this service, or an identity server it trusts (Decisions §7). */
export type IdentityConfig =
  | { readonly issuer: string; readonly audience: string; readonly external: null }
  | {
    readonly issuer: string
    readonly audience: string
    readonly external: { readonly jwksUrl: URL; readonly tokenUrl: string }
  }

/** The settings of a REST host. */
export interface RestApiConfig extends IssuingConfig {
  readonly listenHost: string
  /** 0 means any free port. */
  readonly port: number
  /** The address callers use, without a final slash; null means the one listened on. */
  readonly baseUrl: string | null
  readonly identity: IdentityConfig
  /** The operator's contact address, as the contract shows it. */
  readonly contactEmail: string | null
  /** Take the caller's address from the proxy's `X-Forwarded-For`. */
  readonly trustProxy: TrustedProxies
  /** Connections kept open at most; default 8 192. */
  readonly connections?: number
  readonly rateLimit: RateLimit
  readonly capacity: Capacity
  /** An e-mail or web address for reports of security weaknesses (RFC 9116). */
  readonly securityContact: string | null
}

/** One e-mail address, or with `orAddress` an https address: it is written into files that are read line by line. */
const contact = (name: string, orAddress: boolean) =>
  Effect.flatMap(optional(name), (text) =>
    text === null || /^(?:mailto:)?[^\s@]+@[^\s@]+$/.test(text) || (orAddress && /^https:\/\/\S+$/.test(text))
      ? Effect.succeed(text)
      : problem(`${name} must be an e-mail address${orAddress ? " or an https address" : ""}, not ${JSON.stringify(text)}`))

/** The issuer of our own tokens when no base address is configured: any fixed text that is the same on all hosts. */
const defaultIssuer = "overa"
const defaultAudience = "overa-api"

const identity = Effect.fnUntraced(function*(baseUrl: string | null) {
  const jwksText = yield* optional("OVERA_AUTH_JWKS_URL")
  const jwksUrl = jwksText === null ? null : yield* addressWithQuery("OVERA_AUTH_JWKS_URL", jwksText)
  const audience = (yield* optional("OVERA_AUTH_AUDIENCE")) ?? defaultAudience
  if (jwksUrl === null) {
    const issuer = (yield* optional("OVERA_AUTH_ISSUER")) ?? baseUrl ?? defaultIssuer
    return { issuer, audience, external: null } satisfies IdentityConfig
  }
  if (!isSafe(new URL(jwksUrl))) {
    return yield* problem(`OVERA_AUTH_JWKS_URL must be an https address outside this machine, not "${jwksUrl}"`)
  }
  const tokenUrl = yield* addressWithQuery("OVERA_AUTH_TOKEN_URL", yield* required("OVERA_AUTH_TOKEN_URL"))
  // Callers are told to send their secrets there.
  if (!isSafe(new URL(tokenUrl))) {
    return yield* problem(`OVERA_AUTH_TOKEN_URL must be an https address outside this machine, not "${tokenUrl}"`)
  }
  const issuer = yield* required("OVERA_AUTH_ISSUER")
  return { issuer, audience, external: { jwksUrl: new URL(jwksUrl), tokenUrl } } satisfies IdentityConfig
})

/** Reads the environment. The first missing or malformed value stops it with one line that names the variable (Decisions §8). */
export const restApiConfig: Effect.Effect<RestApiConfig, ConfigProblem> = Effect.gen(function*() {
  const listening = yield* listeningConfig({ port: "PORT", defaultPort: 8_080, address: "OVERA_BASE_URL" })
  return {
    ...listening,
    ...(yield* issuingConfig),
    hostId: yield* hostIdConfig("OVERA_HOST_ID", ""),
    identity: yield* identity(listening.baseUrl),
    contactEmail: yield* contact("OVERA_CONTACT_EMAIL", false),
    rateLimit: {
      perSecond: yield* wholeNumber("OVERA_RATE_LIMIT_PER_SECOND", 300, { from: 1, to: 1_000_000 }),
      burst: yield* wholeNumber("OVERA_RATE_LIMIT_BURST", 300, { from: 1, to: 1_000_000 })
    },
    securityContact: yield* contact("OVERA_SECURITY_CONTACT", true),
    capacity: {
      requests: yield* wholeNumber("OVERA_REQUESTS_IN_FLIGHT", 1_024, { from: 2, to: 1_000_000 }),
      bodyBytes: yield* wholeNumber("OVERA_BODY_BYTES_IN_FLIGHT", 8_388_608, { from: 6_000_000, to: 900_000_000 }),
      answerBytes: yield* wholeNumber("OVERA_ANSWER_BYTES_IN_FLIGHT", 33_554_432, { from: 16_000_000, to: 2_000_000_000 })
    }
  }
})
