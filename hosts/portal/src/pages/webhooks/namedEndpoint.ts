import { readWebhookEndpoint, WebhookEndpointId } from "@overa/domain"
import { Effect, Schema } from "effect"
import type { MemberVisit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"

const isId = Schema.is(WebhookEndpointId)

/** The endpoint of the address, where it is the organization's and was not removed. */
export const namedEndpoint = Effect.fnUntraced(function*(visit: MemberVisit) {
  const id = visit.params["endpoint"]
  if (!isId(id)) return yield* new NotFound({})
  return yield* readWebhookEndpoint(visit.tenant, id)
}, Effect.catchTag("WebhookEndpointNotFound", () => new NotFound({})))
