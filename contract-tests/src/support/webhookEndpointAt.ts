import { type Tenant, type WebhookEndpointId, WebhookStore } from "@overa/domain"
import { DateTime, Effect, Redacted } from "effect"
import { mintUuid } from "./mintIdentity.ts"

const act = { actor: "test", reason: "made for a test" }

/** An active endpoint of the tenant at this address, for every type of event. */
export const webhookEndpointAt = Effect.fnUntraced(function*(tenant: Tenant, url: string) {
  const at = yield* DateTime.now
  return yield* (yield* WebhookStore).create(act, {
    id: mintUuid() as WebhookEndpointId, organizationId: tenant.organizationId, environment: tenant.environment, url, description: null, eventTypes: null, signature: "v1",
    secrets: [{ secret: Redacted.make("whsec_AAAA"), publicKey: null, validUntil: null }], status: "ACTIVE", pausedBecause: null, failingSince: null, createdAt: at, updatedAt: at
  })
})
