import { eventMessage, pageSizes, readEventQuery, readEvents } from "@overa/domain"
import { Effect } from "effect"
import { integer, ref, text } from "@overa/host-kit/contract"
import { declareForTenant } from "../http/Operation.ts"
import { exampleDocument } from "./exampleDocument.ts"

export const exampleEvent = {
  id: "evt_0f343b0931126a20f133d67c2b018a3b",
  sequence: 1042,
  type: "document.fiscalized",
  timestamp: exampleDocument.updatedAt,
  data: {
    resource: { type: "FISCAL_DOCUMENT", id: exampleDocument.id, url: `/v1/fiscal-documents/${exampleDocument.id}` },
    fiscalDocumentId: exampleDocument.id,
    clientReference: exampleDocument.clientReference,
    invoiceNumber: exampleDocument.pfr?.invoiceNumber ?? null
  }
}

const after = "The `sequence` of the last event that you have; 0, or left out, for all."
const afterId = "The `id` of that event. Where the database was restored to an earlier point and has another event there, the answer is 409 instead of events that do not continue yours."
const size = "Events of one page, 50 if left out."

/** An extension of the contract. Source: docs/adr/0176. */
export const getEvents = declareForTenant({
  id: "listEvents",
  method: "GET",
  path: "/v1/events",
  tag: "Events",
  summary: "Read what changed",
  description:
    "Every outcome of a document of the credential's environment, and every change of its workflow, in the order in which the journal's log has them: numbered from 1, without gaps, each exactly once. An event appears some seconds after its change and never changes. Keep the last `sequence` and `id`, and ask for what is behind them: so you miss nothing, however long you were away.",
  scope: "fiscal:read",
  premises: "whole",
  idempotent: false,
  pathParameters: {},
  query: {
    after: { description: after, schema: integer(after, { minimum: 0, maximum: 999_999_999_999_999 }), required: false },
    afterId: { description: afterId, schema: text(afterId, { pattern: "^evt_[0-9a-f]{32}$" }), required: false },
    pageSize: { description: size, schema: integer(size, { minimum: pageSizes.least, maximum: pageSizes.most }), required: false }
  },
  body: null,
  responses: {
    200: { description: "The events.", content: { "application/json": { schema: ref("EventPage"), example: { items: [exampleEvent], last: 1042 } } } }
  },
  errors: ["EVENT_SEQUENCE_CHANGED"],
  handle: Effect.fnUntraced(function*({ query, tenant }) {
    const { items, last } = yield* readEvents(tenant, yield* Effect.fromResult(readEventQuery(query)))
    return { status: 200, json: { items: items.map(eventMessage), last } }
  })
})
