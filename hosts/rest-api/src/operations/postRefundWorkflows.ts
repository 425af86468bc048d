import { decodeRefundRequest, refundSale, RefundShape } from "@overa/domain"
import { Effect } from "effect"
import { jsonBody } from "../contract/jsonBody.ts"
import { type JsonSchema, ref } from "@overa/host-kit/contract"
import { type DeclaredResponse, declareForTenant } from "../http/Operation.ts"
import { keyedRequest } from "../http/keyedRequest.ts"
import { mutationErrors } from "./documentErrors.ts"
import { exampleCopyPending, exampleRefund, exampleRefundRequest, exampleRejectedRefund } from "./exampleRefund.ts"
import { refundAnswer } from "./refundAnswer.ts"

const workflow = (description: string, schema: JsonSchema, example: unknown, headers: DeclaredResponse["headers"] = []): DeclaredResponse => ({
  description,
  content: { "application/json": { schema, example } },
  headers
})

/** Source: Spec, POST /v1/refund-workflows; Decisions §5, Refund workflow. */
export const postRefundWorkflows = declareForTenant({
  id: "refundSale",
  method: "POST",
  path: "/v1/refund-workflows",
  tag: "Refunds",
  summary: "Refund a receipt in full or in part",
  description:
    "Issues a Normal Refund of a Normal Sale of this service. When cash is given back, the copy with the customer's signature line is issued at once. Never blocked by a licence.",
  scope: "refund:write",
  premises: "body",
  idempotent: true,
  pathParameters: {},
  query: {},
  body: jsonBody(RefundShape, "What is given back.", exampleRefundRequest),
  responses: {
    200: workflow("Replay: the refund was completed before.", ref("CompletedRefund"), exampleRefund, ["Idempotency-Replayed"]),
    201: workflow("The refund is completed.", ref("CompletedRefund"), exampleRefund, ["Location"]),
    422: workflow("The V-PFR rejected the refund; `refund.pfrRejection` says why. Send a corrected one under a new key.", ref("FailedRefund"), exampleRejectedRefund, ["Idempotency-Replayed"]),
    503: workflow("Not completed, or not known yet: `status` says what to do.", { oneOf: [ref("OpenRefund"), ref("FailedRefund")] }, exampleCopyPending, ["Location", "Retry-After", "Idempotency-Replayed"])
  },
  errors: [
    ...mutationErrors,
    "REFERENCE_DOCUMENT_NOT_FOUND",
    "REFERENCE_DOCUMENT_SCOPE_MISMATCH",
    "REFERENCE_DOCUMENT_TYPE_NOT_ALLOWED",
    "REFERENCE_DOCUMENT_NOT_FISCALIZED",
    "REFUND_ORIGINAL_LINE_NOT_FOUND",
    "REFUND_ITEM_MUST_MATCH_ORIGINAL_LINE",
    "REFUND_QUANTITY_EXCEEDS_ORIGINAL",
    "REFUND_CUMULATIVE_QUANTITY_EXCEEDED",
    "TAX_LABEL_NOT_CURRENT"
  ],
  handle: Effect.fnUntraced(function*(call) {
    const { environment } = call.tenant
    const { decoded, request } = yield* keyedRequest(call, (body) => decodeRefundRequest(body, { environment }))
    return refundAnswer(yield* refundSale(request, decoded))
  })
})
