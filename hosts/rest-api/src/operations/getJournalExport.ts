import * as NodeStream from "@effect/platform-node/NodeStream"
import { writeCsv } from "@overa/adapter-spreadsheets"
import { exportedLines, type JournalSelection, journalSheetHead, journalSheetRow, readJournalFilter, selectForExport, type Tenant } from "@overa/domain"
import { Effect, Stream } from "effect"
import { oneOfTexts } from "@overa/host-kit/contract"
import { declareForTenant, type TenantCall } from "../http/Operation.ts"
import { untilGone } from "../http/untilGone.ts"
import { journalParameters } from "./journalQuery.ts"

const delimiters = { comma: ",", semicolon: ";" } as const

/** This many rows cost about as much as an ordinary request. */
const rowsOfRequest = 20
/** Finding up to ten thousand documents, also if there are more and the export is refused. */
const costOfSelection = 20

const byteOrderMark = "\uFEFF"

/** The file batch by batch; its first line is sent before a document is read. */
const csvFile = (tenant: Tenant, { ids, labels }: JournalSelection, delimiter: "," | ";") => {
  const dialect = { delimiter, newline: "\r\n" } as const
  const rowOf = journalSheetRow(labels)
  const head = Stream.succeed(byteOrderMark + writeCsv([journalSheetHead(labels)], dialect))
  return Stream.concat(head, Stream.map(exportedLines(tenant, ids), (lines) => writeCsv(lines.map(rowOf), dialect)))
}

const fileOf = Effect.fnUntraced(function*({ query, tenant }: TenantCall) {
  const filter = yield* Effect.fromResult(readJournalFilter(query))
  const selection = yield* selectForExport(tenant, filter)
  const delimiter = delimiters[query["delimiter"]?.[0] === "semicolon" ? "semicolon" : "comma"]
  return {
    status: 200,
    cost: Math.floor(selection.ids.length / rowsOfRequest),
    headers: { "Content-Disposition": "attachment; filename=\"journal.csv\"" },
    bytes: yield* NodeStream.toReadable(csvFile(tenant, selection, delimiter)),
    mediaType: "text/csv; charset=utf-8"
  }
})

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
  premises: "query",
  idempotent: false,
  cost: costOfSelection,
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
  handle: (call) => untilGone(call.callerGone, fileOf(call))
})
