import { layerJournalLog, layerOperationStore, layerWebhookOutbox, layerWebhookStore, MemoryOperations, MemoryWebhooks } from "@overa/adapter-memory"
import { type Tenant, type WebhookEndpoint, type WebhookEndpointId, WebhookStore } from "@overa/domain"
import { DateTime, Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { mintUuid } from "./mintIdentity.ts"

/** An active endpoint of the tenant at this address, for every type of event. */
export const sampleEndpoint = ({ environment, organizationId }: Tenant, id: WebhookEndpointId, url: string, at: DateTime.Utc): Omit<WebhookEndpoint, "sequence"> => ({
  id, organizationId, environment, url, description: null, eventTypes: null, signature: "v1", secrets: [{ secret: Redacted.make("whsec_AAAA"), publicKey: null, validUntil: null }],
  status: "ACTIVE", pausedBecause: null, failingSince: null, createdAt: at, updatedAt: at
})

/** Creates such an endpoint now. */
export const webhookEndpointAt = Effect.fnUntraced(function*(tenant: Tenant, url: string) {
  return yield* (yield* WebhookStore).create({ actor: "test", reason: "made for a test" }, sampleEndpoint(tenant, mintUuid() as WebhookEndpointId, url, yield* DateTime.now))
})

/** Documents, their events and the queues of endpoints in memory, on a clock that the test moves. */
export const memoryWebhookStage = Layer.mergeAll(layerWebhookStore, layerWebhookOutbox).pipe(
  Layer.provideMerge(Layer.merge(layerJournalLog, layerOperationStore)),
  Layer.provideMerge(Layer.merge(MemoryOperations.layer, MemoryWebhooks.layer)),
  Layer.provideMerge(TestClock.layer())
)
