import { decodeProformaTrainingRequest, issueProformaTraining, ProformaTrainingShape } from "@overa/domain"
import { Effect } from "effect"
import { jsonBody } from "../contract/jsonBody.ts"
import { ref } from "@overa/host-kit/contract"
import { type DeclaredResponse, declareForTenant } from "../http/Operation.ts"
import { keyedRequest } from "../http/keyedRequest.ts"
import { licenseErrors, mutationErrors, taxLabelErrors } from "./documentErrors.ts"
import { exampleProforma, exampleProformaRequest, examplePendingProforma, exampleRejectedProforma } from "./exampleProforma.ts"
import { proformaTrainingAnswer } from "./proformaTrainingAnswer.ts"

const workflow = (description: string, example: unknown, headers: DeclaredResponse["headers"] = []): DeclaredResponse => ({
  description,
  content: { "application/json": { schema: ref("ProformaTrainingWorkflow"), example } },
  headers
})

/** Source: Spec, proforma-training-workflows; Decisions §5, Proforma and training. */
export const postProformaTrainingWorkflows = declareForTenant({
  id: "issueProformaTraining",
  method: "POST",
  path: "/v1/proforma-training-workflows",
  tag: "Proforma and training",
  summary: "Issue a proforma or training document",
  description:
    "Has the V-PFR sign a proforma or training document, or its refund, which repeats the whole source. Such a document is no receipt and is in no turnover.",
  scope: "proforma-training:write",
  premises: "body",
  idempotent: true,
  pathParameters: {},
  query: {},
  body: jsonBody(ProformaTrainingShape, "The document.", exampleProformaRequest),
  responses: {
    200: workflow("Replay: the document was signed before.", exampleProforma, ["Idempotency-Replayed"]),
    201: workflow("The document is signed.", exampleProforma, ["Location"]),
    422: workflow("The V-PFR rejected it; `document.pfrRejection` says why. A corrected request needs a new key.", exampleRejectedProforma, [
      "Idempotency-Replayed"
    ]),
    503: workflow("Not signed, or not known yet: `status` says which.", examplePendingProforma, ["Location", "Retry-After", "Idempotency-Replayed"])
  },
  errors: [
    ...mutationErrors,
    ...licenseErrors,
    ...taxLabelErrors,
    "REFERENCE_DOCUMENT_NOT_FOUND",
    "REFERENCE_DOCUMENT_SCOPE_MISMATCH",
    "REFERENCE_DOCUMENT_TYPE_NOT_ALLOWED",
    "REFERENCE_DOCUMENT_NOT_FISCALIZED",
    "REFUND_ITEM_MUST_MATCH_ORIGINAL_LINE",
    "PROFORMA_TRAINING_WORKFLOW_RESERVATION_CONFLICT",
    "PROFORMA_TRAINING_SOURCE_ALREADY_REFUNDED"
  ],
  handle: Effect.fnUntraced(function*(call) {
    const { environment } = call.tenant
    const { decoded, request } = yield* keyedRequest(call, (body) => decodeProformaTrainingRequest(body, { environment }))
    return proformaTrainingAnswer(yield* issueProformaTraining(request, decoded))
  })
})
