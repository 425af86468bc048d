import { Effect } from "effect"
import {
  IdempotencyKeyReusedInOtherEnvironment,
  IdempotencyKeyReusedWithDifferentRequest
} from "../../idempotency/errors.ts"
import { replayDecision } from "../../idempotency/replayDecision.ts"
import type { BoundKey } from "../../operations/Operation.ts"
import type { Environment } from "../../tenancy/Environment.ts"
import type { Tenant } from "../../tenancy/Caller.ts"

/** Whether a taken key may answer this request at all (Decisions §3). */
export const checkReplay = Effect.fnUntraced(function*(
  request: { readonly tenant: Tenant; readonly boundKey: BoundKey },
  existing: { readonly id: string; readonly boundKey: BoundKey; readonly environment: Environment }
) {
  const decision = replayDecision({ existing: existing.boundKey, environment: existing.environment }, {
    presented: request.boundKey,
    environment: request.tenant.environment
  })
  if (decision === "OTHER_ENVIRONMENT") return yield* new IdempotencyKeyReusedInOtherEnvironment({ operationId: existing.id })
  if (decision === "DIFFERENT") {
    return yield* new IdempotencyKeyReusedWithDifferentRequest({ operationId: existing.id })
  }
})
