import { DateTime, Effect, Option } from "effect"
import type { OpenedAdvanceCase } from "../../advances/AdvanceCase.ts"
import { paymentModeNotAsked } from "../../documents/composeContent.ts"
import type { KeyHolder } from "../../operations/KeyHolder.ts"
import { AdvanceCases } from "../../ports/WorkflowStores.ts"
import { Identifiers } from "../../ports/TenancyDirectory.ts"
import { OperationStore } from "../../ports/OperationStore.ts"
import type { AdvanceCaseRequest } from "../../requests/AdvanceCaseRequest.ts"
import type { WorkflowId } from "../../tenancy/identifiers.ts"
import { belgradeTime } from "../../time/belgradeTime.ts"
import { checkReplay, type KeyedRequest } from "../issuing/issueUnderKey.ts"
import { checkPrerequisites } from "../issuing/draftDocument.ts"
import { type AdvanceMutated, readAdvanceCase } from "./advanceMutation.ts"

/** The case that the key opened before, where this is the same request (Decisions §3). */
const answerKnown = Effect.fnUntraced(function*(request: KeyedRequest, existing: OpenedAdvanceCase) {
  yield* checkReplay(request, existing)
  // It was found by its key: a case is never deleted.
  const stored = yield* readAdvanceCase(request.tenant, existing.id).pipe(Effect.catchTag("AdvanceCaseNotFound", Effect.die))
  return { stored, current: null, replayed: true } satisfies AdvanceMutated
})

/** Refuses a key that a document or a delivery has taken meanwhile. */
const refuseTaken = Effect.fnUntraced(function*(request: KeyedRequest, holder: KeyHolder) {
  yield* checkReplay(request, holder)
  return yield* Effect.die(new Error(`${holder.id} is no advance case, although its key was looked up for one`))
})

const externalAdvanceOf = ({ externalAdvance }: AdvanceCaseRequest): OpenedAdvanceCase["externalAdvance"] =>
  externalAdvance === null ? null : { ...externalAdvance, documentTime: belgradeTime(externalAdvance.documentTime) }

/** A case as the request would open it now. */
export const newCase = Effect.fnUntraced(function*(request: KeyedRequest, asked: AdvanceCaseRequest) {
  const identifiers = yield* Identifiers
  const opened: OpenedAdvanceCase = {
    id: (yield* identifiers.uuid) as WorkflowId,
    organizationId: request.tenant.organizationId,
    environment: request.tenant.environment,
    taxpayerId: asked.taxpayerId,
    businessPremiseId: asked.businessPremiseId,
    clientId: request.clientId,
    boundKey: request.boundKey,
    clientReference: asked.clientReference,
    buyer: asked.buyer,
    externalAdvance: externalAdvanceOf(asked),
    createdAt: yield* DateTime.now
  }
  return opened
})

/**
 * Opens a case for payments in advance; nothing is signed. The premise must be able to issue, and licence and module are checked, as for the payments
 * that follow. Source: Spec, advance-cases; Decisions §5, Advance case.
 */
export const openAdvanceCase = Effect.fn("openAdvanceCase")(function*(request: KeyedRequest, asked: AdvanceCaseRequest) {
  const cases = yield* AdvanceCases
  const store = yield* OperationStore
  const { organizationId } = request.tenant
  const known = yield* cases.find(organizationId, request.boundKey)
  if (Option.isSome(known)) return yield* answerKnown(request, known.value)
  const holder = yield* store.findByKey({ organizationId, role: "REQUEST", key: request.boundKey.key })
  if (Option.isSome(holder)) yield* checkReplay(request, holder.value)
  // The key belongs to this same request: another copy of it opened the case meanwhile.
  const meanwhile = Option.isSome(holder) ? yield* cases.find(organizationId, request.boundKey) : Option.none()
  if (Option.isSome(meanwhile)) return yield* answerKnown(request, meanwhile.value)
  const { taxpayerId, businessPremiseId } = asked
  yield* checkPrerequisites(request.tenant, { taxpayerId, businessPremiseId, use: "ADVANCE", paymentMode: paymentModeNotAsked, items: [] })
  const opened = yield* newCase(request, asked)
  const answer = yield* cases.open(opened)
  if (answer._tag === "CaseKnown") return yield* answerKnown(request, answer.existing)
  if (answer._tag === "KeyTaken") return yield* refuseTaken(request, answer.existing)
  return { stored: { opened, documents: [] }, current: null, replayed: false } satisfies AdvanceMutated
})
