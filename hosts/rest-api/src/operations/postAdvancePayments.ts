import { addAdvancePayment, AdvancePaymentShape, decodeAdvancePaymentRequest } from "@overa/domain"
import { Effect } from "effect"
import { jsonBody } from "../contract/jsonBody.ts"
import { declareForTenant } from "../http/Operation.ts"
import { keyedRequest } from "../http/keyedRequest.ts"
import { advanceAnswer } from "./issuedAnswer.ts"
import { advanceCaseId } from "../http/pathId.ts"
import { advanceCaseParameter, advanceResponses, caseErrors } from "./advanceResponses.ts"
import { licenseErrors, mutationErrors, taxLabelErrors } from "./documentErrors.ts"
import { examplePaidCase, examplePaymentRequest, examplePendingPayment, exampleRejectedPayment } from "./exampleAdvance.ts"

/** Source: Spec, advance-cases; Decisions §5, Advance case. */
export const postAdvancePayments = declareForTenant({
  id: "addAdvancePayment",
  method: "POST",
  path: "/v1/advance-cases/{advanceCaseId}/payments",
  tag: "Advances",
  summary: "Record an advance payment",
  description: "Issues an Advance Sale to the case's buyer. The service makes the second and later ones refer to the previous one.",
  scope: "advance:write",
  premises: "path",
  idempotent: true,
  pathParameters: advanceCaseParameter,
  query: {},
  body: jsonBody(AdvancePaymentShape, "What was paid in advance, and how.", examplePaymentRequest),
  responses: advanceResponses({ done: examplePaidCase, rejected: exampleRejectedPayment, open: examplePendingPayment }),
  errors: [
    ...mutationErrors,
    ...licenseErrors,
    "MODULE_NOT_LICENSED",
    ...taxLabelErrors,
    ...caseErrors,
    "ADVANCE_PAYMENT_SUPERSEDED"
  ],
  handle: Effect.fnUntraced(function*(call) {
    const { environment } = call.tenant
    const { decoded, request } = yield* keyedRequest(call, (body) => decodeAdvancePaymentRequest(body, { environment }))
    return advanceAnswer(yield* addAdvancePayment(request, yield* Effect.fromResult(advanceCaseId(call)), decoded))
  })
})
