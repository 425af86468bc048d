import { Effect, Result } from "effect"
import { advanceRefundKey, type StoredAdvanceCase } from "../../advances/AdvanceCase.ts"
import { caseDocuments } from "../../advances/caseDocuments.ts"
import { nextOfClosing } from "../../advances/continueClosing.ts"
import { type AdvanceContent, type ClosingRefusal, type DocumentInFlight, isAdvanceRefundDue, planClosing, type PlannedClosing } from "../../advances/planAdvanceDocument.ts"
import { closingCurrent } from "../../advances/presentAdvanceCase.ts"
import { paidBy } from "../../documents/composeContent.ts"
import type { PaymentTypeNotAllowedOnPremise } from "../../documents/errors.ts"
import { isCarriedOnByService } from "../../operations/carriedOnByService.ts"
import type { BoundKey, Operation } from "../../operations/Operation.ts"
import type { TaxRates } from "../../ports/TaxAuthority.ts"
import { type AdvanceClosingRequest, closingBuyer } from "../../requests/AdvanceClosingRequest.ts"
import { TaxLabelNotCurrent } from "../../tax/errors.ts"
import type { WorkflowId } from "../../tenancy/identifiers.ts"
import { checkLabelsNow, checkLabelsThen, checkPrerequisites, knownRates, type LabelsNowRefusal, type PlaceRefusal, type RatesAt } from "../issuing/draftDocument.ts"
import { issueUnderKey, type KeyedRequest } from "../issuing/issueUnderKey.ts"
import { type Blank, newDocument } from "../issuing/reservation.ts"
import { sendStored } from "../issuing/sendReserved.ts"
import { waitForOutcome } from "../issuing/waitForOutcome.ts"
import {
  type AdvanceMutated, caseCommit, type CaseDraft, type CaseKind, type CaseRefusal, currentIn, inCase, planned, provenCase, readAdvanceCase, redriveInCase,
  underLock, waitingForCase
} from "./advanceMutation.ts"

type Refusal = CaseRefusal<"CLOSING"> | PlaceRefusal<"ADVANCE", PaymentTypeNotAllowedOnPremise> | LabelsNowRefusal | ClosingRefusal
type ClosingNeeds = Effect.Services<ReturnType<typeof newDocument>> | TaxRates

/** The final sale while it waits for its Advance Refund: reserved, without an attempt. */
const unsent = (blank: Blank): Blank => ({
  ...blank,
  attempt: null,
  transitions: blank.transitions.slice(0, 2),
  operation: { ...blank.operation, status: "VALIDATED", attempt: 0, failureCode: null }
})

const refundKeyOf = ({ boundKey }: Blank["operation"]): BoundKey => ({ ...boundKey, role: "INNER", key: advanceRefundKey(boundKey.key) })

/** The Advance Refund beside the final sale, signed by the same element; NOT_FISCALIZED where the element could not be opened. */
const refundBlank = (blank: Blank, { place }: CaseDraft) => {
  const { businessPremiseId, clientId, environment, organizationId, taxpayerId } = blank.operation
  return newDocument({
    tenant: { organizationId, environment },
    clientId,
    boundKey: refundKeyOf(blank.operation),
    taxpayerId,
    businessPremiseId,
    signer: { tenant: { organizationId, environment }, elementId: place.element.id, jid: place.element.jid }
  }, blank.operation.failureCode)
}

/** The Advance Refund would give back a label that the rates of the advance it refers to do not have: the V-PFR would reject it, and the case would be FAILED. */
const checkRefundLabels = ({ items, reference }: AdvanceContent, ratesAt: RatesAt): Result.Result<void, TaxLabelNotCurrent> =>
  Result.mapError(checkLabelsThen(items, { taxRates: ratesAt(reference?.pfrTime ?? null) }), ({ invalidLabels, message }) =>
    new TaxLabelNotCurrent({
      invalidLabels,
      message: `The advances were signed under different tax configurations, and one Advance Refund has the rates of the latest. Cancel the latest advance, and those before it until the rest have one configuration; then close the case. ${message}`
    }))

/** Both documents of a closing, or the refusal: as `planClosing`, then the labels that the Advance Refund gives back (Decisions §2). */
export const planWithLabels = (
  { documents, opened }: StoredAdvanceCase,
  asked: AdvanceClosingRequest,
  ratesAt: RatesAt
): Result.Result<PlannedClosing, ClosingRefusal | TaxLabelNotCurrent> =>
  Result.flatMap(planClosing(opened, documents, asked), (plan) =>
    plan.advanceRefund === null ? Result.succeed(plan) : Result.map(checkRefundLabels(plan.advanceRefund, ratesAt), () => plan))

/** Whose name and address the papers show: the buyer whom the closing names, else the case's. Without one, the plan refuses. */
const buyerOf = (asked: AdvanceClosingRequest, { buyer }: StoredAdvanceCase["opened"]) => Result.getOrElse(closingBuyer(asked.buyer, buyer), () => buyer)

/**
 * The first commit of a closing: the Advance Refund, to be sent at once, with the final sale, unsent; or the final sale alone, where no
 * Advance Refund is due (Decisions §5: both reserved in one commit).
 */
const closingCommit = Effect.fnUntraced(function*(asked: AdvanceClosingRequest, blank: Blank, draft: CaseDraft) {
  const { documents, opened } = draft.subject
  const { environment, organizationId } = opened
  const ratesAt = yield* knownRates({ organizationId, environment }, draft.place.element.id)
  const refund = isAdvanceRefundDue(documents) ? inCase(yield* refundBlank(blank, draft), opened) : null
  const finalSale = inCase(refund === null ? blank : unsent(blank), opened)
  return yield* caseCommit({ opened, buyer: buyerOf(asked, opened) }, refund ?? finalSale, (now) =>
    Result.flatMap(planWithLabels({ opened, documents: now }, asked, ratesAt), (plan) => {
      const sale = planned(finalSale, plan.finalSale, draft)
      const { advanceRefund } = plan
      if (advanceRefund === null) return refund === null ? Result.succeed([sale]) : Result.fail(movedSince)
      return refund === null ? Result.fail(movedSince) : Result.succeed([planned(refund, advanceRefund, draft), sale])
    }))
})

/** The case has changed between the checks and the commit: the mutation reads it again. */
const movedSince: DocumentInFlight = { _tag: "DocumentInFlight", operation: null }

/** The closing of a case: the labels of the goods, then the state of the case. Source: Decisions §5, Advance case (closing). */
export const closingKind = ({ tenant }: Pick<KeyedRequest, "tenant">, caseId: WorkflowId, asked: AdvanceClosingRequest): CaseKind<Refusal, ClosingNeeds> => ({
  keyLookup: "FIRST",
  gates: provenCase(tenant, caseId, () => closingGates(asked)),
  compose: (facts) => underLock(checkLabelsNow(asked.items, facts)),
  firstCommit: (blank, draft) => closingCommit(asked, blank, draft),
  replay: "REPLAY"
})

const closingGates = ({ items, remainingPayments }: AdvanceClosingRequest) => ({ use: "ADVANCE", paymentMode: paidBy(remainingPayments), items }) as const

/** What one step did: whether this request sent a document or tried to, whether it waited for one, and whether another step may follow. */
interface Step {
  readonly hasSent: boolean
  readonly hasWaited: boolean
  readonly isLast: boolean
}

const nothingToDo: Step = { hasSent: false, hasWaited: false, isLast: true }

/** Sends the next document of this key's closing that may be sent, or waits for the one in flight. */
const carryOnOnce = Effect.fnUntraced(function*(request: KeyedRequest, caseId: WorkflowId, mayResend: boolean) {
  const { documents, opened } = yield* readAdvanceCase(request.tenant, caseId)
  const next = nextOfClosing(documents, request.boundKey.key, mayResend)
  if (next._tag === "Nothing") return nothingToDo
  if (next._tag === "Wait") {
    yield* waitForOutcome(next.operation)
    return { hasSent: false, hasWaited: true, isLast: next.operation.boundKey.role === "REQUEST" } satisfies Step
  }
  const redrive = redriveInCase(request.tenant, opened.id, "CLOSING")
  const sent = yield* sendStored(next.operation, { by: "caller", callerGone: request.callerGone, redrive })
  const isRefundSigned = next.operation.boundKey.role === "INNER" && sent?.operation.status === "FISCALIZED"
  return { hasSent: sent?.replayed === false, hasWaited: false, isLast: !isRefundSigned } satisfies Step
})

/**
 * Continues a closing under its own key: the Advance Refund where it was not sent, then the final sale. Never sends a document that may have been
 * signed. A store that fails here leaves the closing as it is.
 *
 * @returns Whether this request sent a document.
 */
const carryOn = Effect.fnUntraced(function*(request: KeyedRequest, caseId: WorkflowId, mayResend: boolean) {
  // Wait for or send the Advance Refund, wait for or send the final sale: no closing takes more steps.
  let hasSent = false
  // A request that waited never sends what it waited for (Decisions §3).
  let hasWaited = false
  for (let step = 0; step < 4; step += 1) {
    const done: Step = yield* carryOnOnce(request, caseId, mayResend && !hasWaited).pipe(
      Effect.catchTag("StoreUnavailable", () => Effect.succeed(nothingToDo))
    )
    hasSent ||= done.hasSent
    hasWaited ||= done.hasWaited
    if (done.isLast) break
  }
  return hasSent
})

/** The document that answers a closing under this key: the deciding one of the latest closing, or the rejected final sale of an earlier closing. */
const currentOf = (stored: StoredAdvanceCase, key: string, issued: Operation): Operation => {
  const documents = caseDocuments(stored.documents)
  const deciding = documents.finalSale?.boundKey.key === key ? closingCurrent(documents) : null
  return deciding ?? stored.documents.find(({ boundKey }) => boundKey.role === "REQUEST" && boundKey.key === key) ?? currentIn(stored, issued)
}

/** A replay that would send something for the first time must pass the checks of premise and licence again (Decisions §3). */
const gatesAgain = Effect.fnUntraced(function*(request: KeyedRequest, caseId: WorkflowId, asked: AdvanceClosingRequest) {
  const { documents, opened } = yield* readAdvanceCase(request.tenant, caseId)
  const next = nextOfClosing(documents, request.boundKey.key, true)
  if (next._tag !== "Send" || isCarriedOnByService(next.operation)) return
  const { businessPremiseId, taxpayerId } = opened
  yield* checkPrerequisites(request.tenant, { taxpayerId, businessPremiseId, ...closingGates(asked) })
})

/**
 * Closes a case: the Advance Refund of everything paid in advance, then the final Normal Sale, which refers to it. Each is sent at most once per
 * attempt and never while an outcome is unknown; the same key continues where a closing stopped. A request that sends a document is no replay, also
 * where it continues (Spec, Document transitions). Fails as `issueUnderKey` does.
 * Source: Spec, advance-cases; Decisions §5, Advance case (closing).
 */
export const closeAdvanceCase = Effect.fn("closeAdvanceCase")(function*(
  request: KeyedRequest,
  caseId: WorkflowId,
  asked: AdvanceClosingRequest
) {
  const { operation, replayed } = yield* waitingForCase(issueUnderKey(request, closingKind(request, caseId, asked)))
  const isOfCase = operation.workflow?.id === caseId
  if (isOfCase && replayed) yield* gatesAgain(request, caseId, asked)
  const hasSent = isOfCase && (replayed || operation.status === "FISCALIZED") && (yield* carryOn(request, caseId, replayed))
  const stored = yield* readAdvanceCase(request.tenant, caseId)
  return { stored, current: currentOf(stored, request.boundKey.key, operation), replayed: replayed && !hasSent } satisfies AdvanceMutated
})
