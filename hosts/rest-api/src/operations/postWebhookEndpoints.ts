import { createWebhookEndpoint, decodeNewWebhookEndpoint, NewWebhookEndpointShape } from "@overa/domain"
import { Effect } from "effect"
import { jsonBody } from "../contract/jsonBody.ts"
import { ref } from "@overa/host-kit/contract"
import { declareForTenant } from "../http/Operation.ts"
import { newSecretJson } from "../json/webhookJson.ts"
import { programAct } from "./ownCredential.ts"
import { exampleEndpointWithSecret, exampleNewEndpoint } from "./exampleWebhook.ts"

/** An extension of the contract. Source: docs/adr/0203. */
export const postWebhookEndpoints = declareForTenant({
  id: "createWebhookEndpoint",
  method: "POST",
  path: "/v1/webhook-endpoints",
  tag: "Events",
  summary: "Have events sent to an address",
  description: "Makes an endpoint. It gets every event that follows, signed as Standard Webhooks says. `secret` is answered this once; where the answer was lost, rotate it.",
  scope: "webhooks:manage",
  premises: "whole",
  idempotent: false,
  pathParameters: {},
  query: {},
  body: jsonBody(NewWebhookEndpointShape, "The endpoint.", exampleNewEndpoint),
  responses: {
    201: {
      description: "Events are sent to it from now on.",
      content: { "application/json": { schema: ref("WebhookEndpointWithSecret"), example: exampleEndpointWithSecret } },
      headers: ["Location"]
    }
  },
  errors: ["WEBHOOK_ENDPOINT_ALREADY_EXISTS", "WEBHOOK_ENDPOINT_LIMIT_REACHED"],
  handle: Effect.fnUntraced(function*(call) {
    const endpoint = yield* createWebhookEndpoint(programAct(call, "POST /v1/webhook-endpoints"), call.tenant, yield* Effect.fromResult(decodeNewWebhookEndpoint(call.body?.tree, call.tenant.environment)))
    return { status: 201, headers: { Location: `/v1/webhook-endpoints/${endpoint.id}` }, json: newSecretJson(endpoint) }
  })
})
