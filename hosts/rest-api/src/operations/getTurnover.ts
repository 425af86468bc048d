import { JournalStore, mapInTurns, readTurnoverQuery, TurnoverGrouping, type TurnoverRow } from "@overa/domain"
import { Effect } from "effect"
import { oneOfTexts, ref } from "@overa/host-kit/contract"
import { declareForTenant, type TenantCall } from "../http/Operation.ts"
import { untilGone } from "../http/untilGone.ts"
import { jsonNumber } from "@overa/host-kit"
import { AssembledJson, WrittenJson } from "../json/WrittenJson.ts"
import { placeParameters, timeParameters } from "./journalQuery.ts"

const exampleRow = {
  group: { month: "2026-08", taxLabel: "Ђ" },
  receipts: 3,
  gross: 7201.5,
  payments: [{ type: "CARD", amount: 4801 }, { type: "CASH", amount: 1200.5 }],
  taxes: [{ label: "Ђ", amount: 1200.25 }],
  advanceApplied: 1200
}

const turnoverRowJson = (row: TurnoverRow) => ({
  group: row.group,
  receipts: row.receipts,
  gross: jsonNumber(row.gross),
  payments: row.payments.map(({ amount, type }) => ({ type, amount: jsonNumber(amount) })),
  taxes: row.taxes.map(({ amount, label }) => ({ label, amount: jsonNumber(amount) })),
  advanceApplied: jsonNumber(row.advanceApplied)
})

const reportOf = Effect.fnUntraced(function*({ query, tenant }: TenantCall) {
  const asked = yield* Effect.fromResult(readTurnoverQuery(query))
  const journal = yield* JournalStore
  const rows = yield* mapInTurns(yield* journal.turnover(tenant, asked), (row) => JSON.stringify(turnoverRowJson(row)))
  return { status: 200, json: new AssembledJson({ rows: WrittenJson.listOf(rows) }) }
})

/** Summing the receipts of some months. */
const costOfSums = 20

/** Source: Decisions §5, Journal, reports, deliveries; Decisions §10. */
export const getTurnover = declareForTenant({
  id: "reportTurnover",
  method: "GET",
  path: "/v1/reports/turnover",
  tag: "Journal",
  summary: "Report the turnover",
  description:
    "Sales less refunds of Normal and Advance receipts, by the groupings asked for; copies, proforma and training never count. Days and months are those of Belgrade. In every row `gross` is the sum of `payments` and `advanceApplied`; taxes are the signed amounts, rounded once per row. A report of more than 10,000 rows is refused, with the fault at `groupBy`: ask for a shorter time, or group by less.",
  scope: "fiscal:read",
  premises: "query",
  idempotent: false,
  cost: costOfSums,
  pathParameters: {},
  query: {
    ...placeParameters,
    ...timeParameters,
    groupBy: {
      description: "By what to group; may be given several times.",
      schema: { type: "array", items: oneOfTexts("One grouping.", TurnoverGrouping.literals), description: "By what to group; may be given several times." },
      required: false,
      repeatable: true
    }
  },
  body: null,
  responses: {
    200: {
      description: "The report.",
      content: { "application/json": { schema: ref("TurnoverReport"), example: { rows: [exampleRow] } } }
    }
  },
  errors: [],
  handle: (call) => untilGone(call.callerGone, reportOf(call))
})
