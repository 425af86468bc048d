import { Effect, Result } from "effect"
import { latestAdvance } from "../../advances/advanceChain.ts"
import { advanceSales, caseDocuments } from "../../advances/caseDocuments.ts"
import { planCancellation } from "../../advances/planAdvanceDocument.ts"
import { composeContent, paidBy } from "../../documents/composeContent.ts"
import type { PaymentTypeNotAllowedOnPremise } from "../../documents/errors.ts"
import { isDueToBeSent } from "../../operations/carriedOnByService.ts"
import type { AdvanceCancellationRequest } from "../../requests/AdvanceCancellationRequest.ts"
import type { FiscalDocumentId, WorkflowId } from "../../tenancy/identifiers.ts"
import { checkLabelsThen, type DraftFacts, type IssuableKind, type PlaceRefusal } from "../issuing/draftDocument.ts"
import { issueUnderKey, type KeyedRequest } from "../issuing/issueUnderKey.ts"
import { sendStored } from "../issuing/sendReserved.ts"
import { waitForOutcome } from "../issuing/waitForOutcome.ts"
import {
  type AdvanceMutated,
  caseGates,
  type CaseKept,
  type CaseNeeds,
  type CaseRefusal,
  type CaseSubject,
  caseSubject,
  currentIn,
  planThenCommit,
  provenCase,
  readAdvanceCase,
  redriveInCase,
  waitingForCase
} from "./advanceMutation.ts"

/** The advance that can be cancelled now, as the checks see the case. */
const latestOf = (subject: CaseSubject) =>
  subject._tag === "None" ? null : latestAdvance(advanceSales(caseDocuments(subject.value.documents)))

type Refusal = CaseRefusal<"CANCELLATION"> | PlaceRefusal<"EXEMPT", PaymentTypeNotAllowedOnPremise> | Result.Result.Failure<ReturnType<typeof compose>>

const compose = (asked: AdvanceCancellationRequest, facts: DraftFacts<CaseSubject>) =>
  Result.gen(function*() {
    const { documents, opened } = provenCase(facts.subject)
    const planned = yield* planCancellation(opened, documents, asked)
    yield* checkLabelsThen(planned.items, facts)
    return composeContent(planned, planned, facts.place)
  })

/** The Advance Refund of the latest advance. Neither licence nor module is checked. Source: Decisions §5, Advance case. */
const cancellationKind = (request: KeyedRequest, caseId: WorkflowId, asked: AdvanceCancellationRequest): IssuableKind<CaseSubject, CaseKept, Refusal, CaseNeeds> =>
  ({
    keyLookup: "FIRST",
    subject: caseSubject(request.tenant, caseId),
    gates: (subject) => caseGates(request.tenant, caseId, subject, { use: "EXEMPT", paymentMode: paidBy(latestOf(subject)?.payments ?? []), items: [] }),
    ratesAt: (subject) => ({ pfrTime: latestOf(subject)?.pfr?.sdcTime ?? "" }),
    compose: (facts) => compose(asked, facts),
    firstCommit: planThenCommit(({ documents, opened }) => planCancellation(opened, documents, asked)),
    replay: "RETRY",
    redrive: redriveInCase(request.tenant, caseId, "CANCELLATION")
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
