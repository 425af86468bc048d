import { WebhookStore } from "@overa/domain"
import { Effect } from "effect"
import { ref } from "@overa/host-kit/contract"
import { declareForTenant } from "../http/Operation.ts"
import { webhookEndpointJson } from "../json/webhookJson.ts"
import { exampleEndpoint } from "./exampleWebhook.ts"

/** An extension of the contract. Source: docs/adr/0203. */
export const getWebhookEndpoints = declareForTenant({
  id: "listWebhookEndpoints",
  method: "GET",
  path: "/v1/webhook-endpoints",
  tag: "Events",
  summary: "List the endpoints",
  description: "The endpoints of the credential's environment that were not removed.",
  scope: "webhooks:manage",
  premises: "whole",
  idempotent: false,
  pathParameters: {},
  query: {},
  body: null,
  responses: {
    200: { description: "The endpoints.", content: { "application/json": { schema: ref("WebhookEndpointList"), example: { items: [exampleEndpoint] } } } }
  },
  errors: [],
  handle: Effect.fnUntraced(function*({ tenant }) {
    const endpoints = yield* (yield* WebhookStore).list(tenant)
    return { status: 200, json: { items: endpoints.map(webhookEndpointJson) } }
  })
})
