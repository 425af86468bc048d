import { AdvanceClosingShape, closeAdvanceCase, decodeAdvanceClosingRequest } from "@overa/domain"
import { Effect } from "effect"
import { jsonBody } from "../contract/jsonBody.ts"
import { declareForTenant } from "../http/Operation.ts"
import { keyedRequest } from "../http/keyedRequest.ts"
import { advanceAnswer } from "./issuedAnswer.ts"
import { advanceCaseId } from "../http/pathId.ts"
import { advanceCaseParameter, advanceResponses, caseErrors } from "./advanceResponses.ts"
import { licenseErrors, mutationErrors, taxLabelErrors } from "./documentErrors.ts"
import { exampleClosedCase, exampleClosingRequest, exampleClosingUnknown, exampleRejectedPayment } from "./exampleAdvance.ts"

/** Source: Spec, advance-cases; Decisions §5, Advance case. */
export const postAdvanceClosing = declareForTenant({
  id: "closeAdvanceCase",
  method: "POST",
  path: "/v1/advance-cases/{advanceCaseId}/closing",
  tag: "Advances",
  summary: "Close an advance case",
  description:
    "Issues the Advance Refund of everything paid in advance and then the final Normal Sale, which refers to it. `remainingPayments` is the final total less all advances.",
  scope: "advance:close",
  premises: "path",
  idempotent: true,
  pathParameters: advanceCaseParameter,
  query: {},
  body: jsonBody(AdvanceClosingShape, "What is delivered, and what is paid in addition to the advances.", exampleClosingRequest),
  responses: advanceResponses({ done: exampleClosedCase, rejected: exampleRejectedPayment, open: exampleClosingUnknown }),
  errors: [
    ...mutationErrors,
    ...licenseErrors,
    "MODULE_NOT_LICENSED",
    ...taxLabelErrors,
    ...caseErrors,
    "ADVANCE_CASE_CLOSE_ALREADY_RESERVED",
    "ADVANCE_CASE_HAS_NO_FISCALIZED_SALE",
    "ADVANCE_CLOSE_TOTAL_MISMATCH"
  ],
  handle: Effect.fnUntraced(function*(call) {
    const { environment } = call.tenant
    const { decoded, request } = yield* keyedRequest(call, (body) => decodeAdvanceClosingRequest(body, { environment }))
    return advanceAnswer(yield* closeAdvanceCase(request, yield* Effect.fromResult(advanceCaseId(call)), decoded))
  })
})
