import { testWebhookEndpoint, WebhookEndpointId, WebhookEndpointNotFound } from "@overa/domain"
import { Effect } from "effect"
import { ref, uuid } from "@overa/host-kit/contract"
import { declareForTenant } from "../http/Operation.ts"
import { pathId } from "../http/pathId.ts"

/** An extension of the contract. Source: docs/adr/0203. */
export const postWebhookTests = declareForTenant({
  id: "testWebhookEndpoint",
  method: "POST",
  path: "/v1/webhook-endpoints/{webhookEndpointId}/tests",
  tag: "Events",
  summary: "Send a test message",
  description: "Queues a message of the type `webhook.test`, which is no event. Its attempts are in the endpoint's log. Of test messages that wait, for example for a paused endpoint, the newest twenty are kept.",
  scope: "webhooks:manage",
  premises: "whole",
  idempotent: false,
  pathParameters: { webhookEndpointId: { description: "The endpoint.", schema: uuid("The endpoint.") } },
  query: {},
  body: null,
  responses: {
    202: { description: "It is queued.", content: { "application/json": { schema: ref("WebhookQueued"), example: { queued: 1, eventId: "evt_test_0f343b0931126a20f133d67c2b018a3b" } } } }
  },
  errors: ["WEBHOOK_ENDPOINT_NOT_FOUND"],
  handle: Effect.fnUntraced(function*(call) {
    const webhookEndpointId = call.params["webhookEndpointId"] ?? ""
    const id = pathId(webhookEndpointId)
    if (id === null) return yield* new WebhookEndpointNotFound({ webhookEndpointId })
    return { status: 202, json: { queued: 1, eventId: yield* testWebhookEndpoint(call.tenant, WebhookEndpointId.make(id)) } }
  })
})
