import { decodeWebhookEndpointReplacement, replaceWebhookEndpoint, WebhookEndpointId, WebhookEndpointNotFound, WebhookEndpointReplacementShape } from "@overa/domain"
import { Effect } from "effect"
import { ref, uuid } from "@overa/host-kit/contract"
import { declareForTenant } from "../http/Operation.ts"
import { pathId } from "../http/pathId.ts"
import { jsonBody } from "../contract/jsonBody.ts"
import { webhookEndpointJson } from "../json/webhookJson.ts"
import { programAct } from "./ownCredential.ts"
import { exampleEndpoint, exampleEndpointReplacement } from "./exampleWebhook.ts"

/** An extension of the contract. Source: docs/adr/0203. */
export const putWebhookEndpoint = declareForTenant({
  id: "replaceWebhookEndpoint",
  method: "PUT",
  path: "/v1/webhook-endpoints/{webhookEndpointId}",
  tag: "Events",
  summary: "Change, pause, resume or remove an endpoint",
  description: "Replaces every field. A paused endpoint loses nothing: with `ACTIVE` it gets everything that waited. Another `url` gets what waits and what was on its way to the former one; secrets stay. `REMOVED` is final.",
  scope: "webhooks:manage",
  premises: "whole",
  idempotent: false,
  pathParameters: { webhookEndpointId: { description: "The endpoint.", schema: uuid("The endpoint.") } },
  query: {},
  body: jsonBody(WebhookEndpointReplacementShape, "The whole endpoint.", exampleEndpointReplacement),
  responses: {
    200: {
      description: "The endpoint as it is now.",
      content: { "application/json": { schema: ref("WebhookEndpoint"), example: { ...exampleEndpoint, ...exampleEndpointReplacement, pausedBecause: "REQUESTED" } } }
    }
  },
  errors: ["WEBHOOK_ENDPOINT_NOT_FOUND", "WEBHOOK_ENDPOINT_ALREADY_EXISTS"],
  handle: Effect.fnUntraced(function*(call) {
    const content = yield* Effect.fromResult(decodeWebhookEndpointReplacement(call.body?.tree, call.tenant.environment))
    const webhookEndpointId = call.params["webhookEndpointId"] ?? ""
    const id = pathId(webhookEndpointId)
    if (id === null) return yield* new WebhookEndpointNotFound({ webhookEndpointId })
    return { status: 200, json: webhookEndpointJson(yield* replaceWebhookEndpoint(programAct(call, "PUT /v1/webhook-endpoints/{webhookEndpointId}"), call.tenant, WebhookEndpointId.make(id), content)) }
  })
})
