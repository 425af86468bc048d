import { DateTime, Effect, Option, Schema } from "effect"
import type { Operator } from "../../activity/Activity.ts"
import { caseDocuments } from "../../advances/caseDocuments.ts"
import { closingToGiveUp, givenUp } from "../../advances/givenUpClosing.ts"
import { mayHaveArrived } from "../../operations/outcomeTable.ts"
import { nextCheckAfter } from "../../operations/nextCheck.ts"
import type { Operation } from "../../operations/Operation.ts"
import { AdvanceCases } from "../../ports/WorkflowStores.ts"
import { OperationHistory, OperationStore } from "../../ports/OperationStore.ts"
import type { Tenant } from "../../tenancy/Caller.ts"
import type { FiscalDocumentId } from "../../tenancy/identifiers.ts"
import { notIssuedGuard, searchesBefore } from "../decideUnknown.ts"
import { operatorActor, operatorsDeed } from "../issuing/reservation.ts"
import { SubmissionPolicy } from "../issuing/lease.ts"

/** Why a closing was not given up; nothing was changed. */
export class GiveUpRefused extends Schema.TaggedError<GiveUpRefused>()("GiveUpRefused", { reason: Schema.String }) {}

const refusedBy = (reason: string) => new GiveUpRefused({ reason })

/** The case of an operation, and the document of its closing that is given up. */
const findClosing = Effect.fnUntraced(function*(tenant: Tenant, id: FiscalDocumentId) {
  const asked = yield* (yield* OperationStore).get(tenant, id)
  if (Option.isNone(asked)) return yield* refusedBy("there is no such operation")
  const { workflow } = asked.value
  if (workflow?.type !== "ADVANCE") return yield* refusedBy("it belongs to no advance case")
  const stored = yield* (yield* AdvanceCases).get(tenant, workflow.id)
  if (Option.isNone(stored)) return yield* Effect.die(new Error(`operation ${id} has no advance case`))
  const target: Operation = yield* Effect.mapError(Effect.fromResult(closingToGiveUp(caseDocuments(stored.value.documents))), refusedBy)
  return { caseId: workflow.id, target }
})

/**
 * An operator gives up a closing whose Advance Refund was not sent, because nobody has its key any more (docs/adr/0126). In one commit neither document
 * of the closing can be sent again, and the case reads as before the closing. Refused while an attempt may have arrived: its last search must have
 * reached the V-PFR and found nothing, as for "not issued". The search continues. The same commit writes the reason to the activity log.
 *
 * @param command `id` is any document of the case.
 */
export const giveUpClosing = Effect.fn("giveUpClosing")(function*(command: {
  readonly tenant: Tenant
  readonly id: FiscalDocumentId
  readonly operator: Operator
}) {
  const store = yield* OperationStore
  const policy = yield* SubmissionPolicy
  const { caseId, target } = yield* findClosing(command.tenant, command.id)
  const attempts = yield* (yield* OperationHistory).attempts(target.organizationId, target.id)
  const open = attempts.filter(mayHaveArrived)
  const at = yield* DateTime.now
  const refusal = open.length === 0 ? null : notIssuedGuard(attempts, policy.deadlineMillis, at)
  if (refusal !== null) return yield* refusedBy(refusal)
  const concluded = yield* store.conclude({
    organizationId: target.organizationId,
    operationId: target.id,
    workflow: target.workflow,
    attempt: target.attempt,
    event: "closingGivenUp",
    at,
    actor: operatorActor(command.operator.name),
    // The operator's decision is not an answer of the V-PFR: the attempts stay as they are.
    attemptOutcome: null,
    failureCode: givenUp.failureCode,
    rejection: null,
    answer: null,
    answerText: null,
    buyerDetails: null,
    nextCheckAfterMillis: open.length === 0 ? null : nextCheckAfter({ operation: target, attempts, checks: searchesBefore }, at),
    attention: [],
    deed: operatorsDeed(command.operator, "closing given up", { advanceCaseId: caseId, attempts: attempts.length, mayBeSigned: open.map(({ number }) => number) })
  })
  if (concluded._tag !== "Applied") return yield* refusedBy("the closing changed meanwhile; look at it again")
  return { caseId, document: concluded.operation, attempts }
})
