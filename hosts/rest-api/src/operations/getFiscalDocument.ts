import { presentDocument, readDocument } from "@overa/domain"
import { Effect } from "effect"
import { fiscalDocumentJson, ref, uuid } from "@overa/host-kit/contract"
import { declareForTenant } from "../http/Operation.ts"
import { exampleDocument } from "./exampleDocument.ts"
import { fiscalDocumentId } from "../http/pathId.ts"

/** Source: Spec, GET /v1/fiscal-documents/{fiscalDocumentId}. */
export const getFiscalDocument = declareForTenant({
  id: "readFiscalDocument",
  method: "GET",
  path: "/v1/fiscal-documents/{fiscalDocumentId}",
  tag: "Fiscal documents",
  summary: "Read a document",
  description: "The document as it is now. For a REJECTED one, `pfrRejection` says which fields the V-PFR refused.",
  scope: "fiscal:read",
  premises: "path",
  idempotent: false,
  readsDocument: true,
  pathParameters: { fiscalDocumentId: { description: "The document.", schema: uuid("The document.") } },
  query: {},
  body: null,
  responses: {
    200: {
      description: "The document.",
      content: { "application/json": { schema: ref("FiscalDocument"), example: exampleDocument } }
    }
  },
  errors: ["FISCAL_DOCUMENT_NOT_FOUND"],
  handle: Effect.fnUntraced(function*(call) {
    const id = yield* Effect.fromResult(fiscalDocumentId(call))
    const operation = yield* readDocument(call.tenant, id)
    const document = presentDocument(operation, { withRejection: true })
    return { status: 200, json: fiscalDocumentJson(document), operationId: document.id }
  })
})
