import { CopyShape, decodeCopyRequest, issueCopy } from "@overa/domain"
import { Effect } from "effect"
import { jsonBody } from "../contract/jsonBody.ts"
import { uuid } from "@overa/host-kit/contract"
import { declareForTenant } from "../http/Operation.ts"
import { keyedRequest } from "../http/keyedRequest.ts"
import { keyErrors, licenseErrors, placeErrors } from "./documentErrors.ts"
import { issuingResponses } from "./documentResponses.ts"
import { fiscalDocumentId } from "../http/pathId.ts"
import { issuedAnswer } from "./issuedAnswer.ts"

/** Source: Spec, copies; Decisions §5, Copies. */
export const postCopies = declareForTenant({
  id: "issueCopy",
  method: "POST",
  path: "/v1/fiscal-documents/{fiscalDocumentId}/copies",
  tag: "Fiscal documents",
  summary: "Issue a copy",
  description: "Issues a copy of a fiscalized Normal or Advance document: its items, payments and buyer, signed again as a copy.",
  scope: "fiscal:write",
  premises: "path",
  idempotent: true,
  pathParameters: { fiscalDocumentId: { description: "The document to copy.", schema: uuid("The document to copy.") } },
  query: {},
  body: jsonBody(CopyShape, "Who issues the copy.", { cashier: { id: "web" } }),
  responses: issuingResponses,
  errors: [
    ...keyErrors,
    ...placeErrors,
    ...licenseErrors,
    "FISCAL_DOCUMENT_NOT_FOUND",
    "COPY_SOURCE_NOT_COPYABLE",
    "COPY_SOURCE_NOT_FISCALIZED",
    "TAX_LABEL_NOT_CURRENT"
  ],
  handle: Effect.fnUntraced(function*(call) {
    const { decoded, request } = yield* keyedRequest(call, decodeCopyRequest)
    const id = yield* Effect.fromResult(fiscalDocumentId(call))
    return issuedAnswer(yield* issueCopy(request, id, decoded))
  })
})
