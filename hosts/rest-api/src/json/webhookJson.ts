import { verifierOf, type WebhookAttempt, type WebhookEndpoint } from "@overa/domain"
import { utcTime } from "@overa/host-kit"

const optionalTime = (at: Parameters<typeof utcTime>[0] | null) => at === null ? null : utcTime(at)

/** An endpoint without its secrets: of those that sign by Ed25519 the public keys, which are no secrets. */
export const webhookEndpointJson = (endpoint: WebhookEndpoint) => ({
  id: endpoint.id,
  url: endpoint.url,
  description: endpoint.description,
  eventTypes: endpoint.eventTypes,
  signature: endpoint.signature,
  keys: endpoint.secrets.map(({ publicKey, validUntil }) => ({ publicKey, validUntil: optionalTime(validUntil) })),
  status: endpoint.status,
  pausedBecause: endpoint.pausedBecause,
  failingSince: optionalTime(endpoint.failingSince),
  sequence: endpoint.sequence,
  createdAt: utcTime(endpoint.createdAt),
  updatedAt: utcTime(endpoint.updatedAt)
})

export const newSecretJson = (endpoint: WebhookEndpoint) => ({ ...webhookEndpointJson(endpoint), secret: verifierOf(endpoint.secrets[0]) })

export const webhookAttemptJson = ({ answer, at, error, eventId, millis, sequence, statusCode, taken }: WebhookAttempt) => ({
  eventId, sequence, at: utcTime(at), taken, statusCode, answer, error, millis
})
