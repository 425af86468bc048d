import { FiscalDocumentId, OperationNotFound, readOperation } from "@overa/domain"
import { Effect } from "effect"
import { ref, uuid } from "@overa/host-kit/contract"
import { declareForTenant } from "../http/Operation.ts"
import { pathId } from "../http/pathId.ts"
import { operationJson } from "../json/operationJson.ts"
import { exampleDocument } from "./exampleDocument.ts"

const exampleOperation = {
  id: exampleDocument.id,
  kind: "NORMAL_SALE",
  status: "FISCALIZED",
  fiscalized: true,
  retryable: false,
  failureCode: null,
  summary: "The receipt was issued; store its number and verification link.",
  workflow: null,
  nextCheckAt: null,
  transitions: [
    { from: null, to: "RECEIVED", at: exampleDocument.createdAt, cause: "received" },
    { from: "RECEIVED", to: "VALIDATED", at: exampleDocument.createdAt, cause: "validated" },
    { from: "VALIDATED", to: "SUBMITTING", at: exampleDocument.createdAt, cause: "reserved" },
    { from: "SUBMITTING", to: "FISCALIZED", at: exampleDocument.updatedAt, cause: "signed" }
  ],
  document: exampleDocument
}

/** Source: Spec, Operations known by name only; Decisions §5, GET /v1/operations/{id}. */
export const getOperation = declareForTenant({
  id: "readOperation",
  method: "GET",
  path: "/v1/operations/{operationId}",
  tag: "Operations",
  summary: "Read an operation",
  description:
    "What happened, whether a receipt exists, what to do next. Poll it about every 30 seconds, then less often, while an outcome is unknown.",
  scope: "operations:read",
  premises: "path",
  idempotent: false,
  readsDocument: true,
  pathParameters: { operationId: { description: "The operation, which is also its document.", schema: uuid("The operation.") } },
  query: {},
  body: null,
  responses: {
    200: {
      description: "The operation.",
      content: { "application/json": { schema: ref("Operation"), example: exampleOperation } }
    }
  },
  errors: ["OPERATION_NOT_FOUND"],
  handle: Effect.fnUntraced(function*(call) {
    const asked = call.params["operationId"] ?? ""
    const id = pathId(asked)
    if (id === null) return yield* new OperationNotFound({ operationId: asked })
    const view = yield* readOperation(call.tenant, FiscalDocumentId.make(id))
    return { status: 200, json: operationJson(view), operationId: id }
  })
})
