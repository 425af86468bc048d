import { type DateTime, type Redacted, Schema } from "effect"
import type { ChangeType } from "../events/ChangeEvent.ts"
import type { Environment } from "../tenancy/Environment.ts"
import type { OrganizationId } from "../tenancy/identifiers.ts"

export const WebhookEndpointId = Schema.String.check(Schema.isUUID()).pipe(Schema.brand("WebhookEndpointId"))
export type WebhookEndpointId = typeof WebhookEndpointId.Type

/** `v1`: HMAC-SHA256 with a shared secret; `v1a`: Ed25519 with a public key. Source: Standard Webhooks, signatures. */
export const webhookSignatures = ["v1", "v1a"] as const
export type WebhookSignature = (typeof webhookSignatures)[number]

/** `REMOVED` is final: nothing is sent any more, and the address may be used again. */
export const webhookStatuses = ["ACTIVE", "PAUSED", "REMOVED"] as const
export type WebhookStatus = (typeof webhookStatuses)[number]

/** Why an endpoint is paused: its owner said so, it failed for days, or it answered 410. */
export const pauseReasons = ["REQUESTED", "FAILING", "GONE"] as const
export type PauseReason = (typeof pauseReasons)[number]

/** A key that signs. Several are valid at once while they are rotated. */
export interface WebhookSecret {
  /** `whsec_…`, or `whsk_…` with the private key. */
  readonly secret: Redacted.Redacted<string>
  /** `whpk_…` where the signature is `v1a`. */
  readonly publicKey: string | null
  /** Null: until it is rotated. */
  readonly validUntil: DateTime.Utc | null
}

/** An address of a shop's that events are sent to. */
export interface WebhookEndpoint {
  readonly id: WebhookEndpointId
  readonly organizationId: OrganizationId
  readonly environment: Environment
  readonly url: string
  readonly description: string | null
  /** Null: every type, also those of later releases. */
  readonly eventTypes: ReadonlyArray<ChangeType> | null
  readonly signature: WebhookSignature
  /** The newest first. */
  readonly secrets: ReadonlyArray<WebhookSecret>
  readonly status: WebhookStatus
  readonly pausedBecause: PauseReason | null
  /** Since when every attempt has failed. */
  readonly failingSince: DateTime.Utc | null
  /** Events up to this number are waiting for it or were sent. */
  readonly sequence: number
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
}

/** How many endpoints an environment of an organization has at most. */
export const mostEndpoints = 20

/** Test messages of one endpoint that wait: with one more, the oldest is dropped. */
export const mostWaitingTests = 20

/** How long a secret signs beside the one that replaced it. */
export const rotationHours = 24

/** The secrets that sign now. */
export const validSecrets = (secrets: ReadonlyArray<WebhookSecret>, now: DateTime.Utc): ReadonlyArray<WebhookSecret> =>
  secrets.filter(({ validUntil }) => validUntil === null || validUntil.epochMilliseconds > now.epochMilliseconds)

/** At most so many secrets are valid at once; the oldest ends first. */
const mostSecrets = 5

/** The secrets with a new one, which signs beside the others until they end. */
export const rotated = (
  secrets: ReadonlyArray<WebhookSecret>,
  added: WebhookSecret,
  now: DateTime.Utc,
  until: DateTime.Utc
): ReadonlyArray<WebhookSecret> => [
  added,
  ...validSecrets(secrets, now).map((one) => one.validUntil === null ? { ...one, validUntil: until } : one).slice(0, mostSecrets - 1)
]
