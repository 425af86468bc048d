import { Effect, Result } from "effect"
import { retryableOf } from "../documents/failureAdvice.ts"
import {
  IdempotencyKeyReusedInOtherEnvironment,
  IdempotencyKeyReusedWithDifferentRequest
} from "../idempotency/errors.ts"
import { replayDecision } from "../idempotency/replayDecision.ts"
import type { BoundKey, Operation } from "../operations/Operation.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import { driveReserved } from "./driveReserved.ts"
import type { DocumentDraft, IssueCommand, Issued } from "./issueDocument.ts"
import { waitForOutcome } from "./waitForOutcome.ts"

const replay = (operation: Operation): Issued => ({ operation, replayed: true })

/** Whether a taken key may answer this request at all (Decisions §3). */
export const checkReplay = Effect.fnUntraced(function*(
  request: { readonly tenant: Tenant; readonly boundKey: BoundKey },
  existing: Operation
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

/**
 * The answer to a request whose key already has an operation (Decisions §3). `drafted` is the outcome of steps 5 to 10 where this
 * request has already passed them; only a redrive needs it.
 */
export const answerStored = Effect.fn("answerStored")(function*<E, R>(
  command: IssueCommand<E, R>,
  existing: Operation,
  drafted: Result.Result<DocumentDraft, E> | null
) {
  yield* checkReplay(command, existing)
  if (existing.status === "SUBMITTING") return replay(yield* waitForOutcome(existing))
  if (existing.status !== "NOT_FISCALIZED" || !retryableOf(existing.status, existing.failureCode)) {
    return replay(existing)
  }
  const draft = drafted === null
    ? yield* (command.draft(Effect.void) as Effect.Effect<DocumentDraft, E, R>)
    : yield* Effect.fromResult(drafted)
  return yield* driveReserved({ ...draft, tenant: command.tenant, callerGone: command.callerGone }, existing)
})

