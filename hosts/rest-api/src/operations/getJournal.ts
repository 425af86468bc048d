import {
  encodeJournalCursor,
  cursorBinding,
  JournalStore,
  pageSizes,
  presentDocument,
  readJournalFilter,
  readJournalPlace
} from "@overa/domain"
import { Effect, Result } from "effect"
import { integer, ref, text } from "../contract/JsonSchema.ts"
import { declareForTenant, type TenantCall } from "../http/Operation.ts"
import { untilGone } from "../http/untilGone.ts"
import { fiscalDocumentJson } from "../contract/documentSchemas.ts"
import { exampleDocument } from "./exampleDocument.ts"
import { bothOf, journalParameters } from "./journalQuery.ts"

const pageOf = Effect.fnUntraced(function*({ query, tenant }: TenantCall) {
  const filter = readJournalFilter(query)
  const binding = Result.isSuccess(filter) ? cursorBinding(tenant, filter.success) : ""
  const place = readJournalPlace(Result.isSuccess(filter) ? query : { ...query, cursor: [] }, binding)
  const [asked, at] = yield* bothOf(filter, place)
  const journal = yield* JournalStore
  const { items, nextCursor } = yield* journal.page(tenant, asked, at)
  return {
    status: 200,
    json: {
      items: items.map((operation) => fiscalDocumentJson(presentDocument(operation, { withRejection: false }))),
      nextCursor: nextCursor === null ? null : encodeJournalCursor(nextCursor, binding)
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
    cursor: { description: "`nextCursor` of the previous page.", schema: text("`nextCursor` of the previous page."), required: false },
    pageSize: {
      description: "Documents of one page, 50 if left out.",
      schema: integer("Documents of one page, 50 if left out.", { minimum: pageSizes.least, maximum: pageSizes.most }),
      required: false
    }
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
