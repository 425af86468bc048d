import { Schema } from "effect"

/** No endpoint of this id for the caller's organization and environment, or it was removed. */
export class WebhookEndpointNotFound extends Schema.TaggedError<WebhookEndpointNotFound>()("WebhookEndpointNotFound", { webhookEndpointId: Schema.String }) {
  readonly code = "WEBHOOK_ENDPOINT_NOT_FOUND"
}

/** Another endpoint of the environment has the address. */
export class WebhookEndpointAlreadyExists
  extends Schema.TaggedError<WebhookEndpointAlreadyExists>()("WebhookEndpointAlreadyExists", { webhookEndpointId: Schema.String })
{
  readonly code = "WEBHOOK_ENDPOINT_ALREADY_EXISTS"
}

/** The environment has as many endpoints as it may. */
export class WebhookEndpointLimitReached
  extends Schema.TaggedError<WebhookEndpointLimitReached>()("WebhookEndpointLimitReached", { limit: Schema.Int })
{
  readonly code = "WEBHOOK_ENDPOINT_LIMIT_REACHED"
}
