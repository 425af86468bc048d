import { Effect, Option, Schema } from "effect"
import type { Operator } from "../activity/Activity.ts"
import { mayRejectionBeRetried } from "../documents/documentTransitions.ts"
import { OperationStore } from "../ports/OperationStore.ts"
import { RefundStore } from "../ports/WorkflowStores.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { FiscalDocumentId } from "../tenancy/identifiers.ts"
import { driveCopy } from "./driveCopy.ts"

/** Why a copy was not sent again; nothing was changed. */
export class RetryRefused extends Schema.TaggedError<RetryRefused>()("RetryRefused", { reason: Schema.String }) {}

/**
 * An operator has the rejected copy of a cash refund sent again, after the cause of the rejection was corrected (Decisions §5, Refund workflow). Same
 * document, same content, next attempt: the V-PFR answered that it signed nothing, so there cannot be two. Answers the copy as it is afterwards;
 * rejected again, it waits for the operator again. The commit that adds the attempt writes the act and its reason to the activity log.
 */
export const retryCopy = Effect.fn("retryCopy")(function*(command: {
  readonly tenant: Tenant
  readonly id: FiscalDocumentId
  readonly operator: Operator
}) {
  const store = yield* OperationStore
  const refunds = yield* RefundStore
  const found = yield* store.get(command.tenant, command.id)
  if (Option.isNone(found)) return yield* new RetryRefused({ reason: "there is no such operation" })
  const { boundKey, status, workflow } = found.value
  if (!mayRejectionBeRetried(boundKey.role) || workflow?.type !== "REFUND") {
    return yield* new RetryRefused({ reason: "it is not the copy of a cash refund; its caller sends a corrected request under a new key" })
  }
  if (status !== "REJECTED") {
    return yield* new RetryRefused({ reason: `only a rejected copy is sent again by hand; this one is ${status}` })
  }
  const stored = yield* refunds.get(command.tenant, workflow.id)
  if (Option.isNone(stored)) return yield* new RetryRefused({ reason: "a failover of the database has just lost its refund" })
  const driven = yield* driveCopy(stored.value, command.operator, new AbortController().signal)
  const copy = driven.copy ?? found.value
  if (copy.status !== "REJECTED" || copy.attempt !== found.value.attempt) return copy
  return yield* new RetryRefused({
    reason: "nothing could be sent: the premise has no usable security element, the environment's traffic is off, or an earlier attempt could not be searched for"
  })
})
