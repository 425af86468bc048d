import { DateTime, Effect, Result } from "effect"
import { planPayment } from "../../advances/planAdvanceDocument.ts"
import { composeContent, paidBy } from "../../documents/composeContent.ts"
import type { PaymentTypeNotAllowedOnPremise } from "../../documents/errors.ts"
import { type AdvancePaymentRequest, checkPaymentDay } from "../../requests/AdvancePaymentRequest.ts"
import type { WorkflowId } from "../../tenancy/identifiers.ts"
import { checkLabelsNow, type DraftFacts, type IssuableKind, type PlaceRefusal } from "../issuing/draftDocument.ts"
import { issueUnderKey, type KeyedRequest } from "../issuing/issueUnderKey.ts"
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

type Refusal = CaseRefusal<"PAYMENT"> | PlaceRefusal<"ADVANCE", PaymentTypeNotAllowedOnPremise> | Result.Result.Failure<ReturnType<typeof compose>>

/** Checks the day of an earlier transfer, the labels, then the state of the case. */
const compose = (payment: AdvancePaymentRequest, now: DateTime.Utc, facts: DraftFacts<CaseSubject>) =>
  Result.gen(function*() {
    yield* checkPaymentDay(payment.paymentOccurredAt, now)
    yield* checkLabelsNow(payment.items, facts)
    const { documents, opened } = provenCase(facts.subject)
    const planned = yield* planPayment(opened, documents, payment)
    return composeContent(planned, planned, facts.place)
  })

/** An Advance Sale. Source: Decisions §5, Advance case. */
const paymentKind = (request: KeyedRequest, caseId: WorkflowId, payment: AdvancePaymentRequest, now: DateTime.Utc): IssuableKind<CaseSubject, CaseKept, Refusal, CaseNeeds> =>
  ({
    keyLookup: "FIRST",
    subject: caseSubject(request.tenant, caseId),
    gates: (subject) => caseGates(request.tenant, caseId, subject, { use: "ADVANCE", paymentMode: paidBy(payment.payments), items: payment.items }),
    ratesAt: () => "NOW",
    compose: (facts) => compose(payment, now, facts),
    firstCommit: planThenCommit(({ documents, opened }) => planPayment(opened, documents, payment)),
    replay: "RETRY",
    redrive: redriveInCase(request.tenant, caseId, "PAYMENT")
  })

/**
 * Records a payment in advance: issues an Advance Sale that refers to the previous one. Fails as `issueUnderKey` does.
 * Source: Spec, advance-cases; Decisions §5, Advance case.
 */
export const addAdvancePayment = Effect.fn("addAdvancePayment")(function*(
  request: KeyedRequest,
  caseId: WorkflowId,
  payment: AdvancePaymentRequest
) {
  const kind = paymentKind(request, caseId, payment, yield* DateTime.now)
  const { operation, replayed } = yield* waitingForCase(issueUnderKey(request, kind))
  const stored = yield* readAdvanceCase(request.tenant, caseId)
  return { stored, current: currentIn(stored, operation), replayed } satisfies AdvanceMutated
})
