import { readWebhookEndpoint, WebhookEndpointId, WebhookEndpointNotFound } from "@overa/domain"
import { Effect } from "effect"
import { ref, uuid } from "@overa/host-kit/contract"
import { declareForTenant } from "../http/Operation.ts"
import { pathId } from "../http/pathId.ts"
import { webhookEndpointJson } from "../json/webhookJson.ts"
import { exampleEndpoint } from "./exampleWebhook.ts"

/** An extension of the contract. Source: docs/adr/0203. */
export const getWebhookEndpoint = declareForTenant({
  id: "readWebhookEndpoint",
  method: "GET",
  path: "/v1/webhook-endpoints/{webhookEndpointId}",
  tag: "Events",
  summary: "Read an endpoint",
  description: "The endpoint as it is now, and whether it works.",
  scope: "webhooks:manage",
  premises: "whole",
  idempotent: false,
  pathParameters: { webhookEndpointId: { description: "The endpoint.", schema: uuid("The endpoint.") } },
  query: {},
  body: null,
  responses: {
    200: { description: "The endpoint.", content: { "application/json": { schema: ref("WebhookEndpoint"), example: exampleEndpoint } } }
  },
  errors: ["WEBHOOK_ENDPOINT_NOT_FOUND"],
  handle: Effect.fnUntraced(function*(call) {
    const webhookEndpointId = call.params["webhookEndpointId"] ?? ""
    const id = pathId(webhookEndpointId)
    if (id === null) return yield* new WebhookEndpointNotFound({ webhookEndpointId })
    return { status: 200, json: webhookEndpointJson(yield* readWebhookEndpoint(call.tenant, WebhookEndpointId.make(id))) }
  })
})
