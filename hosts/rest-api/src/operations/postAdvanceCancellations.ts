import { AdvanceCancellationShape, cancelAdvanceSale, decodeAdvanceCancellationRequest } from "@overa/domain"
import { Effect } from "effect"
import { jsonBody } from "../contract/jsonBody.ts"
import { declareForTenant } from "../http/Operation.ts"
import { keyedRequest } from "../http/keyedRequest.ts"
import { advanceAnswer } from "./issuedAnswer.ts"
import { advanceCaseId } from "../http/pathId.ts"
import { advanceCaseParameter, advanceResponses, caseErrors } from "./advanceResponses.ts"
import { mutationErrors } from "./documentErrors.ts"
import { exampleCancellationRequest, exampleCancelledCase, examplePendingPayment, exampleRejectedPayment } from "./exampleAdvance.ts"

/** Source: Spec, advance-cases; Decisions §5, Advance case. */
export const postAdvanceCancellations = declareForTenant({
  id: "cancelAdvanceSale",
  method: "POST",
  path: "/v1/advance-cases/{advanceCaseId}/cancellations",
  tag: "Advances",
  summary: "Cancel the latest advance",
  description:
    "Issues the Advance Refund of the latest advance that is not cancelled; for cash its signed copy is issued at once. Never blocked by a licence.",
  scope: "advance:write",
  premises: "path",
  idempotent: true,
  pathParameters: advanceCaseParameter,
  query: {},
  body: jsonBody(AdvanceCancellationShape, "The advance to give back, and to whom.", exampleCancellationRequest),
  responses: advanceResponses({ done: exampleCancelledCase, rejected: exampleRejectedPayment, open: examplePendingPayment }),
  errors: [...mutationErrors, ...caseErrors, "ADVANCE_CANCELLATION_TARGET_NOT_LATEST", "REFERENCE_DOCUMENT_NOT_FOUND", "TAX_LABEL_NOT_CURRENT"],
  handle: Effect.fnUntraced(function*(call) {
    const { decoded, request } = yield* keyedRequest(call, decodeAdvanceCancellationRequest)
    return advanceAnswer(yield* cancelAdvanceSale(request, yield* Effect.fromResult(advanceCaseId(call)), decoded))
  })
})
