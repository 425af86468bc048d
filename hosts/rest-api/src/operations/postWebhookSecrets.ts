import { rotateWebhookSecret, WebhookEndpointId, WebhookEndpointNotFound } from "@overa/domain"
import { Effect } from "effect"
import { ref, uuid } from "@overa/host-kit/contract"
import { declareForTenant } from "../http/Operation.ts"
import { pathId } from "../http/pathId.ts"
import { newSecretJson } from "../json/webhookJson.ts"
import { programAct } from "./ownCredential.ts"
import { exampleEndpointWithSecret } from "./exampleWebhook.ts"

/** An extension of the contract. Source: docs/adr/0203. */
export const postWebhookSecrets = declareForTenant({
  id: "rotateWebhookSecret",
  method: "POST",
  path: "/v1/webhook-endpoints/{webhookEndpointId}/secrets",
  tag: "Events",
  summary: "Rotate an endpoint's secret",
  description: "Makes another secret, which is answered this once. The former one signs beside it for 24 hours, so that a receiver with either of them verifies every message.",
  scope: "webhooks:manage",
  premises: "whole",
  idempotent: false,
  pathParameters: { webhookEndpointId: { description: "The endpoint.", schema: uuid("The endpoint.") } },
  query: {},
  body: null,
  responses: {
    201: { description: "Both sign.", content: { "application/json": { schema: ref("WebhookEndpointWithSecret"), example: exampleEndpointWithSecret } } }
  },
  errors: ["WEBHOOK_ENDPOINT_NOT_FOUND"],
  handle: Effect.fnUntraced(function*(call) {
    const webhookEndpointId = call.params["webhookEndpointId"] ?? ""
    const id = pathId(webhookEndpointId)
    if (id === null) return yield* new WebhookEndpointNotFound({ webhookEndpointId })
    return { status: 201, json: newSecretJson(yield* rotateWebhookSecret(programAct(call, "POST /v1/webhook-endpoints/{webhookEndpointId}/secrets"), call.tenant, WebhookEndpointId.make(id))) }
  })
})
