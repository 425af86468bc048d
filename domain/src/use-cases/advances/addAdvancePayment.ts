import { DateTime, Effect, Result } from "effect"
import { planPayment } from "../../advances/planAdvanceDocument.ts"
import { paidBy } from "../../documents/composeContent.ts"
import type { PaymentTypeNotAllowedOnPremise } from "../../documents/errors.ts"
import { type AdvancePaymentRequest, checkPaymentDay } from "../../requests/AdvancePaymentRequest.ts"
import type { RequestFaults } from "../../requests/Fault.ts"
import type { WorkflowId } from "../../tenancy/identifiers.ts"
import { checkLabelsNow, type LabelsNowRefusal, type PlaceRefusal } from "../issuing/draftDocument.ts"
import { issueUnderKey, type KeyedRequest } from "../issuing/issueUnderKey.ts"
import {
  type AdvanceMutated, type CaseKind, type CaseOpening, type CaseRefusal, currentIn, planThenCommit, provenOpening, readAdvanceCase, redriveInCase, underLock, waitingForCase
} from "./advanceMutation.ts"

type Refusal = CaseRefusal<"PAYMENT"> | PlaceRefusal<"ADVANCE", PaymentTypeNotAllowedOnPremise> | LabelsNowRefusal | RequestFaults

/** An Advance Sale: the day of an earlier transfer, the labels, then the state of the case. Source: Decisions §5, Advance case. */
export const paymentKind = ({ tenant }: Pick<KeyedRequest, "tenant">, caseId: WorkflowId, payment: AdvancePaymentRequest, now: DateTime.Utc): CaseKind<Refusal, never, CaseOpening> => ({
  keyLookup: "FIRST",
  gates: provenOpening(tenant, caseId, { use: "ADVANCE", paymentMode: paidBy(payment.payments), items: payment.items }),
  compose: (facts) => underLock(Result.flatMap(checkPaymentDay(payment.paymentOccurredAt, now), () => checkLabelsNow(payment.items, facts))),
  firstCommit: planThenCommit(({ documents, opened }) => planPayment(opened, documents, payment)),
  replay: "RETRY",
  redrive: redriveInCase(tenant, caseId, "PAYMENT")
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
