import { DateTime, Effect, Result } from "effect"
import { AdvanceCaseNotOpen } from "../../advances/errors.ts"
import { type AdvanceContent, type DocumentInFlight, planPayment } from "../../advances/planAdvanceDocument.ts"
import { composeContent, paidBy } from "../../documents/composeContent.ts"
import type { AdvanceCancellationRequest } from "../../requests/AdvanceCancellationRequest.ts"
import type { AdvanceCaseRequest } from "../../requests/AdvanceCaseRequest.ts"
import type { AdvanceClosingRequest } from "../../requests/AdvanceClosingRequest.ts"
import type { AdvancePaymentRequest } from "../../requests/AdvancePaymentRequest.ts"
import type { Tenant } from "../../tenancy/Caller.ts"
import type { WorkflowId } from "../../tenancy/identifiers.ts"
import { previewOf } from "../dryRunFiscalDocument.ts"
import { checkPrerequisites, comparedRates, draftWithoutKey, knownRates, type Proven } from "../issuing/draftDocument.ts"
import type { KeyedRequest } from "../issuing/issueUnderKey.ts"
import { paymentKind } from "./addAdvancePayment.ts"
import { type CaseDraft, type CaseOpening, isInFlight, readAdvanceCase } from "./advanceMutation.ts"
import { cancellationKind, plan as planCancelled } from "./cancelAdvanceSale.ts"
import { closingKind, planWithLabels } from "./closeAdvanceCase.ts"
import { newCase } from "./openAdvanceCase.ts"

/** Where a document of the case is in flight, issuing waits for its outcome; a preview does not. */
const decided = <A, E extends { readonly _tag: string }>(result: Result.Result<A, E | DocumentInFlight>): Effect.Effect<A, E | AdvanceCaseNotOpen> =>
  Result.match(result, {
    onSuccess: Effect.succeed,
    onFailure: (failure) => Effect.fail(isInFlight(failure) ? new AdvanceCaseNotOpen({ state: "AWAITING_OUTCOME" }) : failure)
  })

/** A document of a case as it would be signed, taxed by the rates that apply to it: an Advance Refund's are those of the advance. */
const previewed = Effect.fnUntraced(function*(tenant: Tenant, planned: AdvanceContent, { place }: CaseDraft<CaseOpening>) {
  const content = composeContent(planned, planned, place)
  return yield* previewOf(tenant, { content, place, taxRates: yield* comparedRates(tenant, place.element.id, content) })
})

/** The Advance Sale that `addAdvancePayment` would have signed now, in a case as it is stored; fails with the same first refusal. Nothing is stored or sent. */
export const dryRunAdvancePayment = Effect.fn("dryRunAdvancePayment")(function*(tenant: Tenant, caseId: WorkflowId, payment: AdvancePaymentRequest) {
  const draft: CaseDraft<CaseOpening> = yield* draftWithoutKey(tenant, paymentKind({ tenant }, caseId, payment, yield* DateTime.now))
  const { documents, opened } = yield* readAdvanceCase(tenant, caseId)
  return yield* previewed(tenant, yield* decided(planPayment(opened, documents, payment)), draft)
})

/** The first Advance Sale of a case that is not open yet, by the checks of opening it and of its payment. */
export const dryRunFirstPayment = Effect.fn("dryRunFirstPayment")(function*(request: KeyedRequest, asked: AdvanceCaseRequest, payment: AdvancePaymentRequest) {
  const { tenant } = request
  const subject: CaseOpening = { opened: yield* newCase(request, asked) }
  const { businessPremiseId, taxpayerId } = asked
  const gates = Effect.map(
    checkPrerequisites(tenant, { taxpayerId, businessPremiseId, use: "ADVANCE", paymentMode: paidBy(payment.payments), items: payment.items }),
    (place): Proven<CaseOpening> => ({ place, subject, ratesAt: "NOW" })
  )
  const draft: CaseDraft<CaseOpening> = yield* draftWithoutKey(tenant, { ...paymentKind(request, subject.opened.id, payment, yield* DateTime.now), gates })
  return yield* previewed(tenant, yield* decided(planPayment(subject.opened, [], payment)), draft)
})

/** The Advance Refund that `cancelAdvanceSale` would have signed now. */
export const dryRunCancellation = Effect.fn("dryRunCancellation")(function*(tenant: Tenant, caseId: WorkflowId, asked: AdvanceCancellationRequest) {
  const draft: CaseDraft = yield* draftWithoutKey(tenant, cancellationKind({ tenant }, caseId, asked))
  return yield* previewed(tenant, yield* decided(planCancelled(draft.subject, asked, draft)), draft)
})

/** Both documents that `closeAdvanceCase` would have signed now; no Advance Refund where none is due. */
export const dryRunClosing = Effect.fn("dryRunClosing")(function*(tenant: Tenant, caseId: WorkflowId, asked: AdvanceClosingRequest) {
  const draft: CaseDraft = yield* draftWithoutKey(tenant, closingKind({ tenant }, caseId, asked))
  const ratesAt = yield* knownRates(tenant, draft.place.element.id)
  const { advanceRefund, finalSale } = yield* decided(planWithLabels(draft.subject, asked, ratesAt))
  return {
    advanceRefund: advanceRefund === null ? null : yield* previewed(tenant, advanceRefund, draft),
    finalSale: yield* previewed(tenant, finalSale, draft)
  }
})
