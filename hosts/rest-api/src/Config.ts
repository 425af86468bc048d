import type { NbsConfig } from "@overa/adapter-company-register"
import type { VpfrEnvironment } from "@overa/adapter-vpfr"
import type { Environment, RegistrationQuota } from "@overa/domain"
import { Config, Effect, Option, Redacted, Schema } from "effect"
import { readFileSync } from "node:fs"
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

/** Everything a REST host is told. */
export interface RestApiConfig {
  readonly listenHost: string
  /** 0 picks a free one. */
  readonly port: number
  /** The address callers use, without a final slash; null takes the one listened on. */
  readonly baseUrl: string | null
  readonly databaseUrl: Redacted.Redacted
  /** `keyId:base64,…`: the first encrypts, all decrypt. */
  readonly encryptionKeys: Redacted.Redacted
  /** The key of the credentials' digests, 32 bytes. */
  readonly credentialKey: Redacted.Redacted<Uint8Array>
  /** The same at every start of this host, different from every other host's. */
  readonly hostId: string
  readonly identity: IdentityConfig
  /** Where the operator answers questions, as the contract names it. */
  readonly contactEmail: string | null
  readonly vpfr: Partial<Record<Environment, VpfrEnvironment>>
  /** The company register; null where none is configured, and no receipt then has buyer details. */
  readonly companyRegister: NbsConfig | null
  /** Whether the workers have a mail server (`OVERA_SMTP_URL`): deliveries are refused where they have none. */
  readonly mailConfigured: boolean
  /** Take the caller's address from the proxy's `X-Forwarded-For`. */
  readonly trustProxy: TrustedProxies
  readonly rateLimit: RateLimit
  readonly capacity: Capacity
  readonly registrations: RegistrationQuota
  /** An e-mail or web address for whoever finds a weakness (RFC 9116). */
  readonly securityContact: string | null
}

/** A setting is missing or malformed: the start ends with this one line. */
export class ConfigProblem extends Schema.TaggedError<ConfigProblem>()("ConfigProblem", { line: Schema.String }) {
  override get message(): string {
    return this.line
  }
}

const problem = (line: string) => Effect.fail(new ConfigProblem({ line }))

const optional = (name: string): Effect.Effect<string | null, ConfigProblem> =>
  Config.String(name).pipe(
    Config.option,
    Effect.map(Option.match({ onNone: () => null, onSome: (text) => text === "" ? null : text })),
    Effect.mapError((error) => new ConfigProblem({ line: `${name}: ${error.message}` }))
  )

const required = (name: string): Effect.Effect<string, ConfigProblem> =>
  Effect.flatMap(optional(name), (text) => text === null ? problem(`${name} is missing`) : Effect.succeed(text))

const wholeNumber = (name: string, fallback: number, range: { readonly from: number; readonly to: number }) =>
  Effect.flatMap(optional(name), (text) => {
    if (text === null) return Effect.succeed(fallback)
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    return number >= range.from && number <= range.to
      ? Effect.succeed(number)
      : problem(`${name} must be a whole number from ${range.from} to ${range.to}, not "${text}"`)
  })

const proxies = (name: string) =>
  Effect.flatMap(optional(name), (text) => {
    const trusted = trustedProxies(text ?? "false")
    return trusted === undefined
      ? problem(`${name} must be true, false, or addresses and networks separated by commas, not "${text}"`)
      : Effect.succeed(trusted)
  })

const address = (name: string, text: string): Effect.Effect<string, ConfigProblem> =>
  URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
    ? Effect.succeed(text.replace(/(?<!\/)\/+$/, ""))
    : problem(`${name} must be an http or https address, not "${text}"`)

/** Whoever can change what comes from an address over http decides whom we believe; on this machine nobody is in between. */
const isSafe = ({ hostname: name, protocol }: URL): boolean =>
  protocol === "https:" || ["localhost", "127.0.0.1", "[::1]"].includes(name)

const optionalAddress = (name: string) =>
  Effect.flatMap(optional(name), (text) => text === null ? Effect.succeed(null) : address(name, text))

const key32 = (name: string) =>
  Effect.flatMap(required(name), (text) => {
    const bytes = Buffer.from(text, "base64")
    return bytes.length === 32
      ? Effect.succeed(Redacted.make<Uint8Array>(bytes))
      : problem(`${name} must be 32 bytes in base64; it has ${bytes.length}`)
  })

const fileText = (name: string, path: string) =>
  Effect.try({
    try: () => readFileSync(path, "utf8"),
    catch: () => new ConfigProblem({ line: `${name}: the file ${path} cannot be read` })
  })

const vpfrEnvironment = Effect.fnUntraced(function*(environment: "SANDBOX" | "PRODUCTION") {
  const urlName = `OVERA_VPFR_${environment}_URL`
  const caName = `OVERA_VPFR_${environment}_CA_FILE`
  const baseUrl = yield* optionalAddress(urlName)
  if (baseUrl === null) return null
  const trustAnchors = yield* fileText(caName, yield* required(caName))
  const verificationRoot = yield* optional(`OVERA_VPFR_${environment}_VERIFICATION_ROOT`)
  return { baseUrl, trustAnchors, verificationRoot } satisfies VpfrEnvironment
})

/** All of it or nothing: an address without its login would look like a register that never answers. */
const companyRegister = Effect.gen(function*() {
  const url = yield* optionalAddress("OVERA_NBS_URL")
  if (url === null) return null
  // Its login travels with every question.
  if (!isSafe(new URL(url))) return yield* problem(`OVERA_NBS_URL must be an https address outside this machine, not "${url}"`)
  return {
    url,
    userName: yield* required("OVERA_NBS_USER_NAME"),
    password: Redacted.make(yield* required("OVERA_NBS_PASSWORD")),
    licenceId: yield* required("OVERA_NBS_LICENCE_ID")
  } satisfies NbsConfig
})

/** The issuer of our own tokens when no base address is configured: any fixed text serves, all hosts have it. */
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
  const issuer = yield* required("OVERA_AUTH_ISSUER")
  return { issuer, audience, external: { jwksUrl: new URL(jwksUrl), tokenUrl } } satisfies IdentityConfig
})

/** What every host reads that issues documents; the variables have the same names everywhere. */
export const issuingConfig = Effect.gen(function*() {
  const sandbox = yield* vpfrEnvironment("SANDBOX")
  const production = yield* vpfrEnvironment("PRODUCTION")
  return {
    databaseUrl: Redacted.make(yield* required("DATABASE_URL")),
    encryptionKeys: Redacted.make(yield* required("OVERA_SECRET_KEYS")),
    credentialKey: yield* key32("OVERA_CREDENTIAL_KEY"),
    vpfr: { ...(sandbox === null ? {} : { sandbox }), ...(production === null ? {} : { production }) },
    companyRegister: yield* companyRegister,
    mailConfigured: (yield* optional("OVERA_SMTP_URL")) !== null
  }
})

/** Where a host listens, and whether a proxy stands in front of it. */
export const listeningConfig = (names: { readonly port: string; readonly defaultPort: number; readonly address: string }) =>
  Effect.gen(function*() {
    return {
      listenHost: (yield* optional("OVERA_LISTEN_HOST")) ?? "0.0.0.0",
      port: yield* wholeNumber(names.port, names.defaultPort, { from: 0, to: 65_535 }),
      baseUrl: yield* optionalAddress(names.address),
      trustProxy: yield* proxies("OVERA_TRUST_PROXY")
    }
  })

/** The name a host gives itself; the machine's where none is set. */
export const hostIdConfig = (name: string, suffix: string) => Effect.map(optional(name), (given) => given ?? `${hostname()}${suffix}`)

/** Reads the environment. The first missing or malformed value ends it with one line that names it (Decisions §8). */
export const restApiConfig: Effect.Effect<RestApiConfig, ConfigProblem> = Effect.gen(function*() {
  const listening = yield* listeningConfig({ port: "PORT", defaultPort: 8_080, address: "OVERA_BASE_URL" })
  return {
    ...listening,
    ...(yield* issuingConfig),
    hostId: yield* hostIdConfig("OVERA_HOST_ID", ""),
    identity: yield* identity(listening.baseUrl),
    contactEmail: yield* optional("OVERA_CONTACT_EMAIL"),
    rateLimit: {
      perSecond: yield* wholeNumber("OVERA_RATE_LIMIT_PER_SECOND", 2_000, { from: 1, to: 1_000_000 }),
      burst: yield* wholeNumber("OVERA_RATE_LIMIT_BURST", 4_000, { from: 1, to: 1_000_000 })
    },
    securityContact: yield* optional("OVERA_SECURITY_CONTACT"),
    registrations: {
      taxpayers: yield* wholeNumber("OVERA_TAXPAYERS_PER_ORGANIZATION", 50, { from: 0, to: 1_000_000 }),
      premises: yield* wholeNumber("OVERA_PREMISES_PER_ORGANIZATION", 50, { from: 0, to: 1_000_000 })
    },
    capacity: {
      requests: yield* wholeNumber("OVERA_REQUESTS_IN_FLIGHT", 1_024, { from: 2, to: 1_000_000 }),
      bodyBytes: yield* wholeNumber("OVERA_BODY_BYTES_IN_FLIGHT", 8_388_608, { from: 6_000_000, to: 900_000_000 })
    }
  }
})
