import { Schema } from "effect"

/** The key is bound to other content; `operationId` is the operation that has it. Source: Spec, Errors, Catalogue. */
export class IdempotencyKeyReusedWithDifferentRequest
  extends Schema.TaggedError<IdempotencyKeyReusedWithDifferentRequest>()("IdempotencyKeyReusedWithDifferentRequest", {
    operationId: Schema.String
  })
{
  readonly code = "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST"
}

/**
 * The key was used with a credential of the other environment; `operationId` is the organization's own operation there, readable only
 * with that environment's credential. Source: Spec, POST /v1/fiscal-documents, Responses 409; Decisions §3.
 */
export class IdempotencyKeyReusedInOtherEnvironment
  extends Schema.TaggedError<IdempotencyKeyReusedInOtherEnvironment>()("IdempotencyKeyReusedInOtherEnvironment", {
    operationId: Schema.String
  })
{
  readonly code = "IDEMPOTENCY_KEY_REUSED_IN_OTHER_ENVIRONMENT"
}
