import { changeTypes, pauseReasons, webhookSignatures, webhookStatuses } from "@overa/domain"
import { integer, type JsonSchema, list, nullable, object, oneOfTexts, ref, text, utcTime, uuid } from "@overa/host-kit/contract"

const endpoint: Readonly<Record<string, JsonSchema>> = {
  id: uuid("The endpoint."),
  url: text("Where events are sent."),
  description: nullable(text("Yours.")),
  eventTypes: nullable(list("The types that are sent; null: every type.", ref("EventType"))),
  signature: oneOfTexts("`v1`: HMAC-SHA256; `v1a`: Ed25519.", webhookSignatures),
  keys: list("The keys that sign, the newest first; each message has a signature of each of them.", ref("WebhookKey")),
  status: oneOfTexts("`ACTIVE`, `PAUSED`; `REMOVED` in the answer to its removal only.", webhookStatuses),
  pausedBecause: nullable(oneOfTexts("`REQUESTED`; `FAILING`: every attempt failed for three days; `GONE`: it answered 410.", pauseReasons)),
  failingSince: nullable(utcTime("Since when every attempt has failed; null while it works.")),
  sequence: integer("Events up to this number are queued for it or were sent.", { minimum: 0 }),
  createdAt: utcTime("When it was made."),
  updatedAt: utcTime("When its owner changed it last.")
}

/** Endpoints that events are sent to: an extension of the contract. Source: docs/adr/0203; Standard Webhooks. */
export const webhookSchemas: Readonly<Record<string, JsonSchema>> = {
  WebhookEndpoint: object("An address that events are sent to.", endpoint),
  WebhookEndpointWithSecret: object("The endpoint, and what its receiver verifies with.", {
    ...endpoint,
    secret: text("`whsec_…` to keep secret, or the public key `whpk_…`. It is answered this once.")
  }),
  WebhookKey: object("A key that signs.", {
    publicKey: nullable(text("`whpk_…` where the signature is `v1a`; null for `v1`, whose secret is never answered again.")),
    validUntil: nullable(utcTime("When it ends; null until it is rotated."))
  }),
  WebhookEndpointList: object("The endpoints of the environment.", { items: list("The oldest first.", ref("WebhookEndpoint")) }),
  WebhookQueued: object("What was queued.", { queued: integer("Messages.", { minimum: 0 }), eventId: nullable(text("The id of the test message; null for events.")) }),
  WebhookAttemptList: object("The latest attempts of the last 30 days.", { items: list("The newest first.", ref("WebhookAttempt")) }),
  WebhookAttempt: object("One attempt to send an event.", {
    eventId: text("The event; the header `webhook-id`."),
    sequence: nullable(integer("The event's number; null for a test message.", { minimum: 1 })),
    at: utcTime("When the attempt ended."),
    taken: { type: "boolean", description: "Whether the receiver has the event: it answered 2xx." },
    statusCode: nullable(integer("The status of its answer; null where there was none.", { minimum: 0, maximum: 999 })),
    answer: text("The beginning of its answer, at most 4 KiB."),
    error: nullable(text("Why there was no answer.")),
    millis: integer("How long the attempt took, in milliseconds.", { minimum: 0 })
  }),
  WebhookTest: object("A test message. It is no event and has no number.", {
    id: text("The header `webhook-id`."),
    type: oneOfTexts("Always the same.", ["webhook.test"]),
    timestamp: utcTime("When it was asked for."),
    data: object("What it is about.", { webhookEndpointId: uuid("The endpoint.") })
  })
}

/** The types of messages that endpoints get. */
export const webhookTypes = [...changeTypes, "webhook.test"] as const
