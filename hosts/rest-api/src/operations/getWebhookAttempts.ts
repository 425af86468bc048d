import { readWebhookAttempts, WebhookEndpointId, WebhookEndpointNotFound } from "@overa/domain"
import { Effect } from "effect"
import { ref, uuid } from "@overa/host-kit/contract"
import { declareForTenant } from "../http/Operation.ts"
import { pathId } from "../http/pathId.ts"
import { webhookAttemptJson } from "../json/webhookJson.ts"
import { exampleAttempt } from "./exampleWebhook.ts"

/** The attempts of one answer. */
const latest = 200

/** An extension of the contract. Source: docs/adr/0203. */
export const getWebhookAttempts = declareForTenant({
  id: "listWebhookAttempts",
  method: "GET",
  path: "/v1/webhook-endpoints/{webhookEndpointId}/attempts",
  tag: "Events",
  summary: "Read the log of an endpoint",
  description: "The latest 200 attempts of the last 30 days with the receiver's answers, the newest first.",
  scope: "webhooks:manage",
  premises: "whole",
  idempotent: false,
  pathParameters: { webhookEndpointId: { description: "The endpoint.", schema: uuid("The endpoint.") } },
  query: {},
  body: null,
  responses: {
    200: { description: "The attempts.", content: { "application/json": { schema: ref("WebhookAttemptList"), example: { items: [exampleAttempt] } } } }
  },
  errors: ["WEBHOOK_ENDPOINT_NOT_FOUND"],
  handle: Effect.fnUntraced(function*(call) {
    const webhookEndpointId = call.params["webhookEndpointId"] ?? ""
    const id = pathId(webhookEndpointId)
    if (id === null) return yield* new WebhookEndpointNotFound({ webhookEndpointId })
    const attempts = yield* readWebhookAttempts(call.tenant, WebhookEndpointId.make(id), latest)
    return { status: 200, json: { items: attempts.map(webhookAttemptJson) } }
  })
})
