import { decodeWebhookResend, resendWebhookEvents, WebhookEndpointId, WebhookEndpointNotFound, WebhookResendShape } from "@overa/domain"
import { Effect } from "effect"
import { ref, uuid } from "@overa/host-kit/contract"
import { declareForTenant } from "../http/Operation.ts"
import { pathId } from "../http/pathId.ts"
import { jsonBody } from "../contract/jsonBody.ts"

/** An extension of the contract. Source: docs/adr/0203. */
export const postWebhookResends = declareForTenant({
  id: "resendWebhookEvents",
  method: "POST",
  path: "/v1/webhook-endpoints/{webhookEndpointId}/resends",
  tag: "Events",
  summary: "Send events again",
  description: "Queues the events from one number to another again, of whatever type, each with its own id: a receiver that has an id already passes it over. An event that waits already is sent at once instead of a second time.",
  scope: "webhooks:manage",
  premises: "whole",
  idempotent: false,
  pathParameters: { webhookEndpointId: { description: "The endpoint.", schema: uuid("The endpoint.") } },
  query: {},
  body: jsonBody(WebhookResendShape, "Which events.", { from: 1040, to: 1042 }),
  responses: {
    202: { description: "They are queued.", content: { "application/json": { schema: ref("WebhookQueued"), example: { queued: 3, eventId: null } } } }
  },
  errors: ["WEBHOOK_ENDPOINT_NOT_FOUND"],
  handle: Effect.fnUntraced(function*(call) {
    const range = yield* Effect.fromResult(decodeWebhookResend(call.body?.tree))
    const webhookEndpointId = call.params["webhookEndpointId"] ?? ""
    const id = pathId(webhookEndpointId)
    if (id === null) return yield* new WebhookEndpointNotFound({ webhookEndpointId })
    return { status: 202, json: { queued: yield* resendWebhookEvents(call.tenant, WebhookEndpointId.make(id), range), eventId: null } }
  })
})
