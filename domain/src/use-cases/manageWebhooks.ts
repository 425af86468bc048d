import { DateTime, Effect, Option, Redacted } from "effect"
import { Identifiers } from "../ports/TenancyDirectory.ts"
import { WebhookKeys, WebhookMessages, WebhookStore } from "../ports/Webhooks.ts"
import type { Act } from "../activity/Activity.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import { WebhookEndpointNotFound } from "../webhooks/errors.ts"
import { rotationHours, type WebhookEndpointId, type WebhookSecret } from "../webhooks/WebhookEndpoint.ts"
import type { NewWebhookEndpoint, WebhookEndpointReplacement, WebhookResend } from "../webhooks/webhookRequests.ts"

const orNotFound = <A>(id: WebhookEndpointId, found: Option.Option<A>): Effect.Effect<A, WebhookEndpointNotFound> =>
  Option.isSome(found) ? Effect.succeed(found.value) : Effect.fail(new WebhookEndpointNotFound({ webhookEndpointId: id }))

/** What a receiver verifies with: shown once, when the secret is made. */
export const verifierOf = (secret: WebhookSecret | undefined): string | null =>
  secret === undefined ? null : secret.publicKey ?? Redacted.value(secret.secret)

/** Makes an endpoint; it is active and has one secret. */
export const createWebhookEndpoint = Effect.fn("createWebhookEndpoint")(function*(act: Act, tenant: Tenant, content: NewWebhookEndpoint) {
  const at = yield* DateTime.now
  const id = (yield* (yield* Identifiers).uuid) as WebhookEndpointId
  const secret = yield* (yield* WebhookKeys).make(content.signature)
  return yield* (yield* WebhookStore).create(act, {
    id, organizationId: tenant.organizationId, environment: tenant.environment, ...content, secrets: [secret], status: "ACTIVE", pausedBecause: null,
    failingSince: null, createdAt: at, updatedAt: at
  })
})

export const readWebhookEndpoint = Effect.fn("readWebhookEndpoint")(function*(tenant: Tenant, id: WebhookEndpointId) {
  return yield* orNotFound(id, yield* (yield* WebhookStore).get(tenant, id))
})

export const replaceWebhookEndpoint = Effect.fn("replaceWebhookEndpoint")(function*(act: Act, tenant: Tenant, id: WebhookEndpointId, content: WebhookEndpointReplacement) {
  return yield* orNotFound(id, yield* (yield* WebhookStore).replace(act, tenant, id, content, yield* DateTime.now))
})

/** Gives an endpoint another secret; the present one signs beside it for a day. */
export const rotateWebhookSecret = Effect.fn("rotateWebhookSecret")(function*(act: Act, tenant: Tenant, id: WebhookEndpointId) {
  const { signature } = yield* readWebhookEndpoint(tenant, id)
  const secret = yield* (yield* WebhookKeys).make(signature)
  const at = yield* DateTime.now
  const until = DateTime.add(at, { hours: rotationHours })
  return yield* orNotFound(id, yield* (yield* WebhookStore).rotate(act, tenant, id, { secret, at, until }))
})

/** Queues a message of the type `webhook.test`, which is no event; answers its id. */
export const testWebhookEndpoint = Effect.fn("testWebhookEndpoint")(function*(tenant: Tenant, id: WebhookEndpointId) {
  const eventId = `evt_test_${(yield* (yield* Identifiers).uuid).replaceAll("-", "")}`
  const body = JSON.stringify({ id: eventId, type: "webhook.test", timestamp: DateTime.formatIso(yield* DateTime.now), data: { webhookEndpointId: id } })
  const queued = yield* (yield* WebhookMessages).queueTest(tenant, id, { eventId, body })
  return queued ? eventId : yield* new WebhookEndpointNotFound({ webhookEndpointId: id })
})

export const resendWebhookEvents = Effect.fn("resendWebhookEvents")(function*(tenant: Tenant, id: WebhookEndpointId, range: WebhookResend) {
  return yield* orNotFound(id, yield* (yield* WebhookMessages).resend(tenant, id, range))
})

export const readWebhookAttempts = Effect.fn("readWebhookAttempts")(function*(tenant: Tenant, id: WebhookEndpointId, limit: number) {
  yield* readWebhookEndpoint(tenant, id)
  return yield* (yield* WebhookMessages).attempts(tenant, id, limit)
})
