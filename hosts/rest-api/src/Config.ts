import type { NbsConfig } from "@overa/adapter-company-register"
import type { VpfrEnvironment } from "@overa/adapter-vpfr"
import type { Environment, RegistrationQuota } from "@overa/domain"
import {
  address,
  type ConfigProblem,
  isSafe,
  optional,
  optionalAddress,
  problem,
  required,
  type StoreConfig,
  storeConfig,
  vpfrConfig,
  wholeNumber
} from "@overa/host-kit"
import { Effect, Redacted } from "effect"
import { hostname } from "node:os"
import { type TrustedProxies, trustedProxies } from "./http/callerAddress.ts"
import type { Capacity } from "./http/Admission.ts"
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
export interface RestApiConfig extends StoreConfig {
  readonly listenHost: string
  /** 0 means any free port. */
  readonly port: number
  /** The address callers use, without a final slash; null means the one listened on. */
  readonly baseUrl: string | null
  /** The same at every start of this host, different from every other host's. */
  readonly hostId: string
  readonly identity: IdentityConfig
  /** The operator's contact address, as the contract shows it. */
  readonly contactEmail: string | null
  readonly vpfr: Partial<Record<Environment, VpfrEnvironment>>
  /** The company register; null where none is configured, and no receipt then has buyer details. */
  readonly companyRegister: NbsConfig | null
  /** Whether the workers have a mail server (`OVERA_SMTP_URL`): deliveries are refused where they have none. */
  readonly mailConfigured: boolean
  /** Take the caller's address from the proxy's `X-Forwarded-For`. */
  readonly trustProxy: TrustedProxies
  /** Connections kept open at most; default 8 192. */
  readonly connections?: number
  readonly rateLimit: RateLimit
  readonly capacity: Capacity
  /** The number of taxpayers and premises that an organization may register itself, over the API and in the portal, in each environment. */
  readonly registrations: RegistrationQuota
  /** An e-mail or web address for reports of security weaknesses (RFC 9116). */
  readonly securityContact: string | null
}

const proxies = (name: string) =>
  Effect.flatMap(optional(name), (text) => {
    const trusted = trustedProxies(text ?? "false")
    return trusted === undefined
      ? problem(`${name} must be true, false, or addresses and networks separated by commas, not "${text}"`)
      : Effect.succeed(trusted)
  })

/** One e-mail address, or with `orAddress` an https address: it is written into files that are read line by line. */
const contact = (name: string, orAddress: boolean) =>
  Effect.flatMap(optional(name), (text) =>
    text === null || /^(?:mailto:)?[^\s@]+@[^\s@]+$/.test(text) || (orAddress && /^https:\/\/\S+$/.test(text))
      ? Effect.succeed(text)
      : problem(`${name} must be an e-mail address${orAddress ? " or an https address" : ""}, not ${JSON.stringify(text)}`))

/** All three settings or none: an address without its login would look like a register that never answers. */
const companyRegister = Effect.gen(function*() {
  const url = yield* optionalAddress("OVERA_NBS_URL")
  if (url === null) return null
  // The login is part of every request.
  if (!isSafe(new URL(url))) return yield* problem(`OVERA_NBS_URL must be an https address outside this machine, not "${url}"`)
  return {
    url,
    userName: yield* required("OVERA_NBS_USER_NAME"),
    password: Redacted.make(yield* required("OVERA_NBS_PASSWORD")),
    licenceId: yield* required("OVERA_NBS_LICENCE_ID")
  } satisfies NbsConfig
})

/** The issuer of our own tokens when no base address is configured: any fixed text that is the same on all hosts. */
const defaultIssuer = "overa"
const defaultAudience = "overa-api"

const identity = Effect.fnUntraced(function*(baseUrl: string | null) {
  const jwksUrl = yield* optionalAddress("OVERA_AUTH_JWKS_URL")
  const audience = (yield* optional("OVERA_AUTH_AUDIENCE")) ?? defaultAudience
  if (jwksUrl === null) {
    const issuer = (yield* optional("OVERA_AUTH_ISSUER")) ?? baseUrl ?? defaultIssuer
    return { issuer, audience, external: null } satisfies IdentityConfig
  }
  if (!isSafe(new URL(jwksUrl))) {
    return yield* problem(`OVERA_AUTH_JWKS_URL must be an https address outside this machine, not "${jwksUrl}"`)
  }
  const tokenUrl = yield* address("OVERA_AUTH_TOKEN_URL", yield* required("OVERA_AUTH_TOKEN_URL"))
  // Callers are told to send their secrets there.
  if (!isSafe(new URL(tokenUrl))) {
    return yield* problem(`OVERA_AUTH_TOKEN_URL must be an https address outside this machine, not "${tokenUrl}"`)
  }
  const issuer = yield* required("OVERA_AUTH_ISSUER")
  return { issuer, audience, external: { jwksUrl: new URL(jwksUrl), tokenUrl } } satisfies IdentityConfig
})

/** The settings of every host that issues documents; the variables have the same names everywhere. */
export const issuingConfig = Effect.gen(function*() {
  return {
    ...(yield* storeConfig),
    vpfr: yield* vpfrConfig,
    companyRegister: yield* companyRegister,
    mailConfigured: (yield* optional("OVERA_SMTP_URL")) !== null,
    registrations: {
      taxpayers: yield* wholeNumber("OVERA_TAXPAYERS_PER_ORGANIZATION", 50, { from: 0, to: 1_000_000 }),
      premises: yield* wholeNumber("OVERA_PREMISES_PER_ORGANIZATION", 50, { from: 0, to: 1_000_000 })
    }
  }
})

/** Where a host listens, and whether there is a proxy in front of it. */
export const listeningConfig = (names: { readonly port: string; readonly defaultPort: number; readonly address: string }) =>
  Effect.gen(function*() {
    return {
      listenHost: (yield* optional("OVERA_LISTEN_HOST")) ?? "0.0.0.0",
      port: yield* wholeNumber(names.port, names.defaultPort, { from: 0, to: 65_535 }),
      baseUrl: yield* optionalAddress(names.address),
      trustProxy: yield* proxies("OVERA_TRUST_PROXY"),
      connections: yield* wholeNumber("OVERA_CONNECTIONS", 8_192, { from: 2, to: 1_000_000 })
    }
  })

/** The configured name of a host; the machine's name where none is set. */
export const hostIdConfig = (name: string, suffix: string) => Effect.map(optional(name), (given) => given ?? `${hostname()}${suffix}`)

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
