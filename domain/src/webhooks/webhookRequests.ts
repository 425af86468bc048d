import { BigDecimal, Result, Schema } from "effect"
import { type ChangeType, changeTypes } from "../events/ChangeEvent.ts"
import { requestDecoder } from "../requests/decodeRequest.ts"
import { faultAt, RequestFaults } from "../requests/Fault.ts"
import { formOf, numberField, optional, textField } from "../requests/fields.ts"
import type { Environment } from "../tenancy/Environment.ts"
import { type WebhookSignature, webhookSignatures, type WebhookStatus, webhookStatuses } from "./WebhookEndpoint.ts"
import { webhookUrlFault } from "./webhookUrl.ts"

/** The number of an event. */
const sequenceField = numberField({ minimum: BigDecimal.fromBigInt(1n), maximum: BigDecimal.fromBigInt(999_999_999_999_999n), decimals: 0 })

const endpointFields = {
  url: textField(2_048, formOf(/^https?:\/\/[!-~]+$/, "must be a web address that begins with https://, in visible ASCII")).annotate({ description: "Where events are sent: `https://`, in the sandbox also `http://`. It must be reachable from the internet: private addresses are refused when events are sent." }),
  description: optional(textField(200)).annotate({ description: "For you." }),
  eventTypes: optional(Schema.Array(Schema.Literals(changeTypes).annotate({ description: "A type of event." })).check(Schema.isMinLength(1), Schema.isMaxLength(changeTypes.length))).annotate({
    description: "The types of events that are sent; left out or null: every type, also those of later releases."
  })
}

/** The body of `POST /v1/webhook-endpoints`. */
export const NewWebhookEndpointShape = Schema.Struct({
  ...endpointFields,
  signature: optional(Schema.Literals(webhookSignatures)).annotate({
    description: "`v1` (if left out): HMAC-SHA256 with a secret that both sides have. `v1a`: Ed25519; you verify with a public key and hold nothing secret."
  })
}).annotate({ identifier: "NewWebhookEndpoint", description: "An address that events are sent to." })

/** The body of `PUT /v1/webhook-endpoints/{webhookEndpointId}`. */
export const WebhookEndpointReplacementShape = Schema.Struct({
  ...endpointFields,
  status: Schema.Literals(webhookStatuses).annotate({
    description: "`PAUSED`: events wait. `ACTIVE`: everything that waited is sent. `REMOVED`: final; nothing is sent any more."
  })
}).annotate({ identifier: "WebhookEndpointReplacement", description: "Every field of an endpoint that can change." })

/** The body of `POST /v1/webhook-endpoints/{webhookEndpointId}/resends`. */
export const WebhookResendShape = Schema.Struct({
  from: sequenceField.annotate({ description: "The `sequence` of the first event." }),
  to: sequenceField.annotate({ description: "The `sequence` of the last one; the same for one event. At most 1 000 are sent again by one request." })
}).annotate({ identifier: "WebhookResend", description: "Events to be sent again." })

export interface WebhookEndpointContent {
  readonly url: string
  readonly description: string | null
  readonly eventTypes: ReadonlyArray<ChangeType> | null
}
export interface NewWebhookEndpoint extends WebhookEndpointContent {
  readonly signature: WebhookSignature
}
export interface WebhookEndpointReplacement extends WebhookEndpointContent {
  readonly status: WebhookStatus
}
export interface WebhookResend {
  readonly from: number
  readonly to: number
}

const decodeNew = requestDecoder(NewWebhookEndpointShape)
const decodeReplacement = requestDecoder(WebhookEndpointReplacementShape)
const decodeResend = requestDecoder(WebhookResendShape)

const contentOf = ({ description, eventTypes, url }: Omit<typeof NewWebhookEndpointShape.Type, "signature">): WebhookEndpointContent => ({
  url,
  description: description ?? null,
  eventTypes: eventTypes ?? null
})

const withSoundUrl = <A extends { readonly url: string }>(environment: Environment) => (body: A): Result.Result<A, RequestFaults> => {
  const fault = webhookUrlFault(body.url, environment)
  return fault === undefined ? Result.succeed(body) : Result.fail(new RequestFaults({ faults: [faultAt(["url"], fault)] }))
}

export const decodeNewWebhookEndpoint = (body: unknown, environment: Environment): Result.Result<NewWebhookEndpoint, RequestFaults> =>
  Result.map(Result.flatMap(decodeNew(body), withSoundUrl(environment)), (it) => ({ ...contentOf(it), signature: it.signature ?? "v1" }))

export const decodeWebhookEndpointReplacement = (body: unknown, environment: Environment): Result.Result<WebhookEndpointReplacement, RequestFaults> =>
  Result.map(Result.flatMap(decodeReplacement(body), withSoundUrl(environment)), (it) => ({ ...contentOf(it), status: it.status }))

/** The events of one request to send again. */
export const mostResent = 1_000

const rangeOf = ({ from, to }: typeof WebhookResendShape.Type): WebhookResend => ({ from: Number(BigDecimal.format(from)), to: Number(BigDecimal.format(to)) })

export const decodeWebhookResend = (body: unknown): Result.Result<WebhookResend, RequestFaults> =>
  Result.flatMap(Result.map(decodeResend(body), rangeOf), (range) => {
    if (range.to < range.from) return Result.fail(new RequestFaults({ faults: [faultAt(["to"], "must not be below from")] }))
    return range.to - range.from >= mostResent
      ? Result.fail(new RequestFaults({ faults: [faultAt(["to"], `must be at most ${mostResent - 1} above from`)] }))
      : Result.succeed(range)
  })
