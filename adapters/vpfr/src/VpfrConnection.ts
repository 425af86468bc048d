import { X509Certificate } from "node:crypto"
import { Context, Effect, Layer, Schema } from "effect"
import type { Environment } from "@overa/domain"

/** The operator's settings for the V-PFR cannot be used; the message names the fault. */
export class VpfrConnectionInvalid extends Schema.TaggedError<VpfrConnectionInvalid>()("VpfrConnectionInvalid", {
  detail: Schema.String
}) {}

/** Where an environment's V-PFR is and which certificates it may have. Only the operator's configuration decides this (Decisions §4, Trust). */
export interface VpfrEnvironment {
  /** `https://vsdc.suf.purs.gov.rs`, without a path. */
  readonly baseUrl: string
  /** One or more CA certificates, PEM. The system's own roots are not trusted. */
  readonly trustAnchors: string
  /** Address of verification links up to and including `vl=`; null when it is not to be compared. */
  readonly verificationRoot: string | null
  /** Public RSA moduli of known signers by their JID. */
  readonly signerModuli?: ReadonlyMap<string, bigint>
}

export interface VpfrConnectionOptions {
  readonly environments: Partial<Record<Environment, VpfrEnvironment>>
  /** Language of the journal (V-PFR §1.4). Default `sr-Cyrl-RS`. */
  readonly acceptLanguage?: string
  /**
   * Connections per element, 1 to 512, opened as they are needed. Default 256: HTTP/1.1 carries one submission at a time, so with eight connections a
   * V-PFR that takes two seconds would sign only four sales a second.
   */
  readonly connectionsPerElement?: number
  /** Elements kept open at once; the least recently used idle one goes first. Default 2000. */
  readonly elementsOpen?: number
  /** From the first byte to the whole answer. Default 40 s (Decisions §4). */
  readonly submissionDeadlineMillis?: number
  /** Whole time of a search. Default 10 s. */
  readonly searchDeadlineMillis?: number
  /** Whole time of a status query. Default 5 s (Decisions §2). */
  readonly statusDeadlineMillis?: number
  /** Name, connection and handshake. Default 10 s. */
  readonly connectTimeoutMillis?: number
  /** How long an idle connection is kept: shorter than the server keeps it. Default 60 s. */
  readonly keepAliveMillis?: number
}

export type VpfrSettings = Required<VpfrConnectionOptions>

const defaults = {
  acceptLanguage: "sr-Cyrl-RS",
  connectionsPerElement: 256,
  elementsOpen: 2_000,
  submissionDeadlineMillis: 40_000,
  searchDeadlineMillis: 10_000,
  statusDeadlineMillis: 5_000,
  connectTimeoutMillis: 10_000,
  keepAliveMillis: 60_000
}

const pemCertificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

const anchorsFault = (pem: string): string | null => {
  const certificates = pem.match(pemCertificate) ?? []
  if (certificates.length === 0) return "trustAnchors holds no PEM certificate"
  for (const [index, certificate] of certificates.entries()) {
    try {
      if (!new X509Certificate(certificate).ca) return `certificate ${index + 1} of trustAnchors is not a CA`
    } catch {
      return `certificate ${index + 1} of trustAnchors is damaged`
    }
  }
  return null
}

const addressFault = (baseUrl: string): string | null => {
  if (!URL.canParse(baseUrl)) return `baseUrl ${baseUrl} is no URL`
  const url = new URL(baseUrl)
  if (url.protocol !== "https:") return `baseUrl ${baseUrl} is not https`
  return url.pathname === "/" && url.search === "" && url.username === "" ? null : `baseUrl ${baseUrl} has more than host and port`
}

const positive = [
  "elementsOpen",
  "submissionDeadlineMillis",
  "searchDeadlineMillis",
  "statusDeadlineMillis",
  "connectTimeoutMillis",
  "keepAliveMillis"
] as const

const settingsFault = (settings: VpfrSettings): string | null => {
  for (const [name, environment] of Object.entries(settings.environments)) {
    const fault = addressFault(environment.baseUrl) ?? anchorsFault(environment.trustAnchors)
    if (fault !== null) return `${name}: ${fault}`
  }
  const wrong = positive.find((name) => !(Number.isFinite(settings[name]) && settings[name] > 0))
  if (wrong !== undefined) return `${wrong} must be a positive number`
  const { connectionsPerElement } = settings
  return Number.isInteger(connectionsPerElement) && connectionsPerElement >= 1 && connectionsPerElement <= 512
    ? null
    : "connectionsPerElement must be 1 to 512"
}

/**
 * The V-PFR settings of this installation, provided by the host.
 *
 * @example VpfrConnection.layer({ environments: { sandbox: { baseUrl, trustAnchors, verificationRoot } } })
 */
export class VpfrConnection extends Context.Service<VpfrConnection, VpfrSettings>()(
  "@overa/adapter-vpfr/VpfrConnection"
) {
  static readonly layer = (options: VpfrConnectionOptions): Layer.Layer<VpfrConnection, VpfrConnectionInvalid> =>
    Layer.effect(
      VpfrConnection,
      Effect.suspend(() => {
        const settings: VpfrSettings = { ...defaults, ...options }
        const detail = settingsFault(settings)
        return detail === null ? Effect.succeed(settings) : Effect.fail(new VpfrConnectionInvalid({ detail }))
      })
    )
}
