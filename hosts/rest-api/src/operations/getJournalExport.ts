import { writeCsv } from "@overa/adapter-spreadsheets"
import {
  type FiscalDocumentId,
  type JournalSelection,
  journalSheetHead,
  journalSheetRow,
  JournalStore,
  readJournalFilter,
  selectForExport,
  type Tenant
} from "@overa/domain"
import { Effect } from "effect"
import { Readable } from "node:stream"
import { oneOfTexts } from "../contract/JsonSchema.ts"
import { declareForTenant } from "../http/declare.ts"
import { journalParameters } from "./journalQuery.ts"

const delimiters = { comma: ",", semicolon: ";" } as const

/** Documents read and written at once: the next ones are read when the caller has taken these. */
const documentsAtOnce = 250

const byteOrderMark = "\uFEFF"

/** Reads documents as they are asked for. */
type Reader = (ids: ReadonlyArray<FiscalDocumentId>) => Promise<ReadonlyArray<ReadonlyArray<string>>>

const rowReader = Effect.fnUntraced(function*(tenant: Tenant, labels: ReadonlyArray<string>) {
  const journal = yield* JournalStore
  const run = Effect.runPromiseWith(yield* Effect.context<never>())
  const rowOf = journalSheetRow(labels)
  const read: Reader = (ids) => run(Effect.map(journal.read(tenant, ids), (operations) => operations.map(rowOf)))
  return read
})

async function* pieces({ ids, labels }: JournalSelection, delimiter: "," | ";", read: Reader) {
  const dialect = { delimiter, newline: "\r\n" } as const
  yield byteOrderMark + writeCsv([journalSheetHead(labels)], dialect)
  for (let at = 0; at < ids.length; at += documentsAtOnce) yield writeCsv(await read(ids.slice(at, at + documentsAtOnce)), dialect)
}

/** Source: Spec, Limits; Decisions §5, Journal; Decisions §11. */
export const getJournalExport = declareForTenant({
  id: "exportJournal",
  method: "GET",
  path: "/v1/journal/export",
  tag: "Journal",
  summary: "Export the journal",
  description:
    "The documents the filters ask for as CSV in UTF-8 with a byte-order mark, latest first, one row each: its fields, `payment.<type>` for every payment type, `tax.<label>` for every label on the lines. Amounts have a point and are positive as signed, also of refunds. A text that begins like a formula has an apostrophe before it.",
  scope: "fiscal:read",
  idempotent: false,
  pathParameters: {},
  query: {
    ...journalParameters,
    delimiter: {
      description: "What separates the cells; `comma` if left out.",
      schema: oneOfTexts("What separates the cells; `comma` if left out.", Object.keys(delimiters)),
      required: false
    }
  },
  body: null,
  responses: {
    200: {
      description: "The file.",
      content: {
        "text/csv": {
          schema: { type: "string" },
          example: `${journalSheetHead(["Ђ"]).join(",")}\r\n`
        }
      }
    }
  },
  errors: ["JOURNAL_EXPORT_RESULT_LIMIT_EXCEEDED"],
  handle: Effect.fnUntraced(function*({ query, tenant }) {
    const filter = yield* Effect.fromResult(readJournalFilter(query))
    const selection = yield* selectForExport(tenant, filter)
    const read = yield* rowReader(tenant, selection.labels)
    const delimiter = delimiters[query["delimiter"]?.[0] === "semicolon" ? "semicolon" : "comma"]
    return {
      status: 200,
      headers: { "Content-Disposition": "attachment; filename=\"journal.csv\"" },
      bytes: Readable.from(pieces(selection, delimiter, read)),
      mediaType: "text/csv; charset=utf-8"
    }
  })
})
