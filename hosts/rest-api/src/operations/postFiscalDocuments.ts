import { decodeFiscalDocumentRequest, FiscalDocumentShape, issueFiscalDocument } from "@overa/domain"
import { Effect } from "effect"
import { jsonBody } from "../contract/jsonBody.ts"
import { declareForTenant } from "../http/Operation.ts"
import { keyedRequest } from "../http/keyedRequest.ts"
import { documentErrors } from "./documentErrors.ts"
import { issuingResponses } from "./documentResponses.ts"
import { exampleSale } from "./exampleDocument.ts"
import { issuedAnswer } from "./issuedAnswer.ts"

/** Source: Spec, POST /v1/fiscal-documents. */
export const postFiscalDocuments = declareForTenant({
  id: "issueFiscalDocument",
  method: "POST",
  path: "/v1/fiscal-documents",
  tag: "Fiscal documents",
  summary: "Issue a Normal Sale",
  description:
    "Issues one Normal Sale under one key. Also issues a COPY of another ESIR's document, named by an EXTERNAL reference. Refunds, copies of our own documents, advances, proforma and training have operations of their own.",
  scope: "fiscal:write",
  premises: "body",
  idempotent: true,
  pathParameters: {},
  query: {},
  body: jsonBody(FiscalDocumentShape, "The receipt to issue.", exampleSale),
  responses: issuingResponses,
  errors: documentErrors,
  handle: Effect.fnUntraced(function*(call) {
    const { environment } = call.tenant
    const { decoded, request } = yield* keyedRequest(call, (body) => decodeFiscalDocumentRequest(body, { environment }))
    const issued = yield* issueFiscalDocument(request, decoded)
    return issuedAnswer(issued)
  })
})
