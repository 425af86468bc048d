import { Effect, Result } from "effect"
import type { StoredAdvanceCase } from "../../advances/AdvanceCase.ts"
import { latestAdvance } from "../../advances/advanceChain.ts"
import { advanceSales, caseDocuments } from "../../advances/caseDocuments.ts"
import { planCancellation } from "../../advances/planAdvanceDocument.ts"
import { paidBy } from "../../documents/composeContent.ts"
import type { PaymentTypeNotAllowedOnPremise } from "../../documents/errors.ts"
import { isDueToBeSent } from "../../operations/carriedOnByService.ts"
import type { AdvanceCancellationRequest } from "../../requests/AdvanceCancellationRequest.ts"
import type { FiscalDocumentId, WorkflowId } from "../../tenancy/identifiers.ts"
import { checkLabelsThen, type PlaceRefusal } from "../issuing/draftDocument.ts"
import { issueUnderKey, type KeyedRequest } from "../issuing/issueUnderKey.ts"
import { sendStored } from "../issuing/sendReserved.ts"
import { waitForOutcome } from "../issuing/waitForOutcome.ts"
import {
  type AdvanceMutated, type CaseDraft, type CaseKind, type CaseRefusal, currentIn, planThenCommit, provenCase, readAdvanceCase, redriveInCase, waitingForCase
} from "./advanceMutation.ts"

/** The advance that can be cancelled now, as the checks see the case. */
const latestOf = ({ documents }: StoredAdvanceCase) => latestAdvance(advanceSales(caseDocuments(documents)))

type Refusal = CaseRefusal<"CANCELLATION"> | PlaceRefusal<"EXEMPT", PaymentTypeNotAllowedOnPremise> | Result.Result.Failure<ReturnType<typeof plan>>

/** The state of the case, the advance, then its labels. */
export const plan = ({ documents, opened }: StoredAdvanceCase, asked: AdvanceCancellationRequest, draft: CaseDraft) =>
  Result.flatMap(planCancellation(opened, documents, asked), (content) => Result.map(checkLabelsThen(content.items, draft), () => content))

/** The Advance Refund of the latest advance. Neither licence nor module is checked. Source: Decisions §5, Advance case. */
export const cancellationKind = ({ tenant }: Pick<KeyedRequest, "tenant">, caseId: WorkflowId, asked: AdvanceCancellationRequest): CaseKind<Refusal> => ({
  keyLookup: "FIRST",
  gates: provenCase(tenant, caseId, (stored) => {
    const latest = latestOf(stored)
    return { use: "EXEMPT", paymentMode: paidBy(latest?.payments ?? []), items: [], ratesAt: { pfrTime: latest?.pfr.sdcTime ?? null } }
  }),
  compose: () => Result.succeed(null),
  firstCommit: planThenCommit((stored, draft) => plan(stored, asked, draft), { buyer: asked.buyer }),
  replay: "RETRY",
  redrive: redriveInCase(tenant, caseId, "CANCELLATION")
})

/**
 * The signed copy of a cash cancellation: sent if allowed, or waited for if another process sends it. The refund is a receipt already, so a store
 * failure here takes nothing back.
 */
const finishCopy = Effect.fnUntraced(function*(request: KeyedRequest, caseId: WorkflowId, refundId: FiscalDocumentId) {
  const { documents } = yield* readAdvanceCase(request.tenant, caseId)
  const copy = caseDocuments(documents).cancellations.find(({ refund }) => refund.id === refundId)?.copy ?? null
  if (copy === null) return
  if (copy.status === "SUBMITTING") yield* waitForOutcome(copy)
  else if (isDueToBeSent(copy)) yield* sendStored(copy, { by: "caller", callerGone: request.callerGone })
})

/**
 * Gives back the latest advance of a case, with the signed copy when cash is given back. Fails as `issueUnderKey` does.
 * Source: Spec, advance-cases; Decisions §5, Advance case.
 */
export const cancelAdvanceSale = Effect.fn("cancelAdvanceSale")(function*(
  request: KeyedRequest,
  caseId: WorkflowId,
  asked: AdvanceCancellationRequest
) {
  const { operation, replayed } = yield* waitingForCase(issueUnderKey(request, cancellationKind(request, caseId, asked)))
  if (operation.status === "FISCALIZED") {
    yield* finishCopy(request, caseId, operation.id).pipe(Effect.catchTag("StoreUnavailable", () => Effect.void))
  }
  const stored = yield* readAdvanceCase(request.tenant, caseId)
  return { stored, current: currentIn(stored, operation), replayed } satisfies AdvanceMutated
})
