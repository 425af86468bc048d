import { DateTime, Effect, Option } from "effect"
import type { OpenedAdvanceCase } from "../../advances/StoredAdvanceCase.ts"
import { IdempotencyKeyReusedInOtherEnvironment, IdempotencyKeyReusedWithDifferentRequest } from "../../idempotency/errors.ts"
import { replayDecision } from "../../idempotency/replayDecision.ts"
import { AdvanceCases } from "../../ports/AdvanceCases.ts"
import { Identifiers } from "../../ports/Identifiers.ts"
import { OperationStore } from "../../ports/OperationStore.ts"
import type { AdvanceCaseRequest } from "../../requests/AdvanceCaseRequest.ts"
import type { WorkflowId } from "../../tenancy/identifiers.ts"
import { belgradeTime } from "../../time/belgradeTime.ts"
import { type FiscalRequest, underCallersKey } from "../road/FiscalRequest.ts"
import { passGates } from "../road/passGates.ts"
import { type AdvanceMutated, readAdvanceCase } from "./advanceMutation.ts"

/** The case that the key opened before, where this is the same request (Decisions §3). */
const answerKnown = Effect.fnUntraced(function*(request: FiscalRequest, existing: OpenedAdvanceCase) {
  const decision = replayDecision({ existing: existing.boundKey, environment: existing.environment }, {
    presented: underCallersKey(request).boundKey,
    environment: request.tenant.environment
  })
  if (decision === "OTHER_ENVIRONMENT") return yield* new IdempotencyKeyReusedInOtherEnvironment({ operationId: existing.id })
  if (decision === "DIFFERENT") return yield* new IdempotencyKeyReusedWithDifferentRequest({ operationId: existing.id })
  const stored = yield* readAdvanceCase(request.tenant, existing.id)
  return { stored, currentId: null, replayed: true } satisfies AdvanceMutated
})

const externalAdvanceOf = ({ externalAdvance }: AdvanceCaseRequest): OpenedAdvanceCase["externalAdvance"] =>
  externalAdvance === null ? null : { ...externalAdvance, documentTime: belgradeTime(externalAdvance.documentTime) }

const newCase = Effect.fnUntraced(function*(request: FiscalRequest, asked: AdvanceCaseRequest) {
  const identifiers = yield* Identifiers
  const opened: OpenedAdvanceCase = {
    id: (yield* identifiers.uuid) as WorkflowId,
    organizationId: request.tenant.organizationId,
    environment: request.tenant.environment,
    taxpayerId: asked.taxpayerId,
    businessPremiseId: asked.businessPremiseId,
    clientId: request.clientId,
    boundKey: underCallersKey(request).boundKey,
    clientReference: asked.clientReference,
    buyer: asked.buyer,
    externalAdvance: externalAdvanceOf(asked),
    createdAt: yield* DateTime.now
  }
  return opened
})

/**
 * Opens a case for payments in advance; nothing is signed. The place must be able to issue, and licence and module are asked for, as
 * for the payments that follow. Source: Spec, advance-cases; Decisions §5, Advance case.
 */
export const openAdvanceCase = Effect.fn("openAdvanceCase")(function*(request: FiscalRequest, asked: AdvanceCaseRequest) {
  const cases = yield* AdvanceCases
  const store = yield* OperationStore
  const { organizationId } = request.tenant
  const known = yield* cases.findByKey(organizationId, request.idempotencyKey)
  if (Option.isSome(known)) return yield* answerKnown(request, known.value)
  const document = yield* store.findByKey({ organizationId, role: "REQUEST", key: request.idempotencyKey })
  if (Option.isSome(document)) return yield* new IdempotencyKeyReusedWithDifferentRequest({ operationId: document.value.id })
  const { taxpayerId, businessPremiseId } = asked
  yield* passGates(request.tenant, { taxpayerId, businessPremiseId, use: "ADVANCE", payments: null, items: [] })
  const opened = yield* newCase(request, asked)
  const answer = yield* cases.open(opened)
  if (answer._tag === "CaseKnown") return yield* answerKnown(request, answer.existing)
  if (answer._tag === "KeyTaken") return yield* new IdempotencyKeyReusedWithDifferentRequest({ operationId: answer.existing.id })
  return { stored: { opened, documents: [] }, currentId: null, replayed: false } satisfies AdvanceMutated
})
