import { readProof } from "@overa/domain"
import { Effect } from "effect"
import { ref, uuid } from "@overa/host-kit/contract"
import { declareForTenant } from "../http/Operation.ts"
import { proofJson } from "@overa/host-kit"
import { exampleProof } from "./exampleProof.ts"
import { fiscalDocumentId } from "../http/pathId.ts"

/** Source: Decisions §14, Proof of a document; §17. */
export const getProof = declareForTenant({
  id: "readProof",
  method: "GET",
  path: "/v1/fiscal-documents/{fiscalDocumentId}/proof",
  tag: "Fiscal documents",
  summary: "Read everything that proves what happened to a document",
  description:
    "For a document of any status: the request as received, every attempt and transition, the V-PFR's answer byte for byte, what its link proves offline, and its place in the journal's log. Answers a dispute or an inspection with one file.",
  scope: "fiscal:read",
  premises: "path",
  idempotent: false,
  isFile: true,
  pathParameters: { fiscalDocumentId: { description: "The document.", schema: uuid("The document.") } },
  query: {},
  body: null,
  responses: {
    200: { description: "The proof.", content: { "application/json": { schema: ref("Proof"), example: exampleProof } } }
  },
  errors: ["FISCAL_DOCUMENT_NOT_FOUND"],
  handle: Effect.fnUntraced(function*(call) {
    const id = yield* Effect.fromResult(fiscalDocumentId(call))
    return { status: 200, json: proofJson(yield* readProof(call.tenant, id)), operationId: id }
  })
})
