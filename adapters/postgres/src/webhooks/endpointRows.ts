import type { ChangeType, OrganizationId, PauseReason, Tenant, WebhookEndpoint, WebhookEndpointId, WebhookSecret, WebhookSignature, WebhookStatus } from "@overa/domain"
import { DateTime, Redacted, Result, Schema } from "effect"
import { utc, utcOrNull } from "../rows/OperationRow.ts"
import { EnvelopeUnreadable, type Secrets } from "../Secrets.ts"

export interface EndpointRow {
  readonly organization_id: OrganizationId
  readonly endpoint_id: WebhookEndpointId
  readonly environment: Tenant["environment"]
  readonly url: string
  readonly description: string | null
  readonly event_types: ReadonlyArray<ChangeType> | null
  readonly signature: WebhookSignature
  readonly secrets: string
  readonly status: WebhookStatus
  readonly paused_because: PauseReason | null
  readonly failing_since: Date | null
  readonly sequence: bigint
  readonly created_at: Date
  readonly updated_at: Date
}

export const endpointColumns =
  "organization_id, endpoint_id, environment, url, description, event_types, signature, secrets, status, paused_because, failing_since, sequence, created_at, updated_at"

const SealedSecrets = Schema.fromJsonString(Schema.Array(Schema.Struct({
  secret: Schema.String,
  publicKey: Schema.NullOr(Schema.String),
  validUntil: Schema.NullOr(Schema.Int)
})))
const textOf = Schema.encodeSync(SealedSecrets)
const readText = Schema.decodeUnknownResult(SealedSecrets)

/** The row that an endpoint's secrets are bound to. */
export const webhookRow = (organizationId: string, endpointId: string): string => `webhook_endpoints ${organizationId} ${endpointId}`

export const sealWebhookSecrets = (secrets: Secrets, { id, organizationId }: Pick<WebhookEndpoint, "id" | "organizationId">, own: ReadonlyArray<WebhookSecret>): string =>
  secrets.seal(
    webhookRow(organizationId, id),
    Redacted.make(textOf(own.map(({ publicKey, secret, validUntil }) => ({ secret: Redacted.value(secret), publicKey, validUntil: validUntil?.epochMilliseconds ?? null }))))
  )

const openWebhookSecrets = (secrets: Secrets, row: EndpointRow): Result.Result<ReadonlyArray<WebhookSecret>, EnvelopeUnreadable> =>
  secrets.open(webhookRow(row.organization_id, row.endpoint_id), row.secrets).pipe(
    Result.flatMap((text) => Result.mapError(readText(Redacted.value(text)), () => new EnvelopeUnreadable({ detail: "it holds no secrets of a webhook" }))),
    Result.map((own) => own.map(({ publicKey, secret, validUntil }) => ({
      secret: Redacted.make(secret),
      publicKey,
      validUntil: validUntil === null ? null : DateTime.makeUnsafe(validUntil)
    })))
  )

const endpointOf = (row: EndpointRow, secrets: ReadonlyArray<WebhookSecret>): WebhookEndpoint => ({
  id: row.endpoint_id,
  organizationId: row.organization_id,
  environment: row.environment,
  url: row.url,
  description: row.description,
  eventTypes: row.event_types,
  signature: row.signature,
  secrets,
  status: row.status,
  pausedBecause: row.paused_because,
  failingSince: utcOrNull(row.failing_since),
  sequence: Number(row.sequence),
  createdAt: utc(row.created_at),
  updatedAt: utc(row.updated_at)
})

/** For work on many endpoints, where one whose secrets do not open may not hold back the others. */
export const readEndpoint = (secrets: Secrets) => (row: EndpointRow): Result.Result<WebhookEndpoint, EnvelopeUnreadable> =>
  Result.map(openWebhookSecrets(secrets, row), (own) => endpointOf(row, own))

/** For an owner's own endpoints. Secrets that do not open are a defect: their key was removed while it was needed. */
export const decodeEndpoint = (secrets: Secrets) => (row: EndpointRow): WebhookEndpoint => Result.getOrThrow(readEndpoint(secrets)(row))
