import { changeTypes } from "@overa/domain"
import { type JsonSchema, ref } from "@overa/host-kit/contract"
import { webhookTypes } from "../contract/webhookSchemas.ts"

const headers: ReadonlyArray<readonly [name: string, description: string]> = [
  ["webhook-id", "The event's id: the same in every attempt. One that you have processed is not processed again."],
  ["webhook-timestamp", "When this attempt was signed, in seconds since 1970."],
  ["webhook-signature", "`v1,…` or `v1a,…`, one for each valid key, with spaces between them: over `webhook-id.webhook-timestamp.body`."]
]

const bodyOf = (type: (typeof webhookTypes)[number]): JsonSchema =>
  changeTypes.some((one) => one === type)
    ? { allOf: [ref("Event"), { type: "object", properties: { type: { type: "string", const: type } } }] }
    : ref("WebhookTest")

/** The messages that endpoints get, one for each type. Source: docs/adr/0203; Standard Webhooks. */
export const webhooksOf = Object.fromEntries(webhookTypes.map((type) => [type, {
  post: {
    operationId: `on${type.split(/[._]/).map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("")}`,
    summary: `Receive ${type}`,
    description: "Answer 2xx within 15 seconds once you have stored it. Any other answer, a redirect too, is followed by another attempt.",
    tags: ["Events"],
    security: [],
    parameters: headers.map(([name, description]) => ({ name, in: "header", required: true, description, schema: { type: "string" } })),
    requestBody: { required: true, content: { "application/json": { schema: bodyOf(type) } } },
    responses: { "2XX": { description: "You have it." }, default: { description: "It is sent again." } }
  }
}]))
