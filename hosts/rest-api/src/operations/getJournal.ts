import { JournalStore, presentDocument, readJournalFilter } from "@overa/domain"
import { Effect } from "effect"
import { fiscalDocumentJson, ref } from "@overa/host-kit/contract"
import { declareForTenant, type TenantCall } from "../http/Operation.ts"
import { untilGone } from "../http/untilGone.ts"
import { exampleDocument } from "./exampleDocument.ts"
import { askedPage, journalParameters, pageParameters } from "./journalQuery.ts"

const pageOf = Effect.fnUntraced(function*({ query, tenant }: TenantCall) {
  const { filter, place, written } = yield* askedPage({ query, tenant }, readJournalFilter(query))
  const journal = yield* JournalStore
  const { items, nextCursor } = yield* journal.page(tenant, filter, place)
  return {
    status: 200,
    json: {
      items: items.map((operation) => fiscalDocumentJson(presentDocument(operation, { withRejection: false }))),
      nextCursor: written(nextCursor)
    }
  }
})

/** Source: Spec, Operations known by name only; Decisions §5, Journal; Decisions §11. */
export const getJournal = declareForTenant({
  id: "searchJournal",
  method: "GET",
  path: "/v1/journal",
  tag: "Journal",
  summary: "Search the journal",
  description:
    "Every document of the credential's environment, of every status, latest first. A cursor belongs to the filters it was answered for. Pages repeat no document and leave out none that was there when the first page was read. A page ends early, with a cursor, where its documents are large.",
  scope: "fiscal:read",
  premises: "query",
  idempotent: false,
  pathParameters: {},
  query: {
    ...journalParameters,
    ...pageParameters("Documents")
  },
  body: null,
  responses: {
    200: {
      description: "One page.",
      content: { "application/json": { schema: ref("JournalPage"), example: { items: [exampleDocument], nextCursor: null } } }
    }
  },
  errors: [],
  handle: (call) => untilGone(call.callerGone, pageOf(call))
})
