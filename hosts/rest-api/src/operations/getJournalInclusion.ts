import { readLogPlace } from "@overa/domain"
import { Effect } from "effect"
import { ref, uuid } from "@overa/host-kit/contract"
import { declareForTenant } from "../http/Operation.ts"
import { logPlaceJson } from "../json/logPlaceJson.ts"
import { exampleLogPlace } from "./exampleLog.ts"
import { fiscalDocumentId } from "../http/pathId.ts"

/** Source: Decisions §14, §17; RFC 6962 §2.1.1. */
export const getJournalInclusion = declareForTenant({
  id: "proveJournalInclusion",
  method: "GET",
  path: "/v1/journal/inclusion/{fiscalDocumentId}",
  tag: "Journal",
  summary: "Prove that a document is in the log",
  description:
    "The document's transitions that are in the log, each with the proof that it is in the tree of the checkpoint beside them. A document in flight has none; some seconds after its outcome is stored, it is in the log.",
  scope: "fiscal:read",
  premises: "path",
  idempotent: false,
  readsDocument: true,
  pathParameters: { fiscalDocumentId: { description: "The document.", schema: uuid("The document.") } },
  query: {},
  body: null,
  responses: {
    200: { description: "Its place.", content: { "application/json": { schema: ref("LogPlace"), example: exampleLogPlace } } }
  },
  errors: ["FISCAL_DOCUMENT_NOT_FOUND"],
  handle: Effect.fnUntraced(function*(call) {
    const id = yield* Effect.fromResult(fiscalDocumentId(call))
    return { status: 200, json: logPlaceJson(yield* readLogPlace(call.tenant, id)) }
  })
})
