import { countsAsTurnover, matchesTurnoverQuery, type TaxpayerId, type Tenant, type TurnoverDocument, type TurnoverQuery } from "@overa/domain"
import { Effect } from "effect"
import { runningTransactions } from "../journal-log/logStatements.ts"
import type { RunningTransactions } from "../journal-log/sealingPosition.ts"
import { inParts } from "../inParts.ts"
import type { PgStatements } from "../PgDatabase.ts"
import { firstWithinBytes } from "../rows/firstWithinBytes.ts"
import { utc } from "../rows/OperationRow.ts"
import { orUnreadable } from "../rows/orUnreadable.ts"
import { readStoredDecimal, type StoredDecimal } from "../rows/storedJson.ts"
import { type StoredContent, turnoverContent } from "./bookRows.ts"

// Receipts that are not in `turnover_parts` yet. As many as a customer issues in some minutes are read by every report, so only the necessary columns
// are read, and they are parsed and not validated: only this service writes their JSON, validated when it was written.

interface ReceiptRow {
  readonly operation_id: string
  readonly created_at: Date
  readonly taxpayer_id: string
  readonly premise_id: string
  readonly content: string
  readonly answer_facts: string
}

/** Receipts read by one statement, so that other requests are served between two of them. */
const receiptsAtOnce = 500
/** Their contents in bytes, or one larger content. Parsing a megabyte takes about ten milliseconds. */
const bytesAtOnce = 524_288

const isReceipt = "o.status = 'FISCALIZED' and o.invoice_type in ('NORMAL', 'ADVANCE') and o.answer_facts is not null"

const reading = {
  columns: "o.operation_id, o.created_at, o.taxpayer_id, o.premise_id, o.content, o.answer_facts",
  limit: receiptsAtOnce,
  bytes: bytesAtOnce,
  texts: "content"
} as const

/**
 * $3 horizon, $4 created, $5 id of the last receipt read: the next receipts created after the horizon. Between two batches of the worker the horizon is
 * a millisecond before the last receipts that are summed. Only these few are looked up one by one (`offset 0`).
 */
const createdSince = firstWithinBytes({
  ...reading,
  selected: `${isReceipt} and o.created_at > $3 and (o.created_at, o.operation_id) > ($4::timestamptz, $5::uuid)
    and (o.created_at > $3::timestamptz + interval '2 milliseconds'
      or not exists (select from turnover_parts t where t.organization_id = $1 and t.operation_id = o.operation_id offset 0))`,
  order: ["created_at", "operation_id"]
})

/** Null where the log was not yet compared with all documents on this server. */
const ofComparedLog = (value: string): string =>
  `(select ${value} from journal_log_positions l where l.organization_id = $1 and l.environment = $2 and l.swept_at is not null
      and l.moved_by <= $5::text::xid8)`

const isUnsummed = (alias: string): string =>
  `not exists (select from turnover_parts t where t.organization_id = $1 and t.operation_id = ${alias}.operation_id offset 0)`

/**
 * $3 horizon, $4 id of the last receipt read, $5 next transaction: the next receipts that were no receipts when they were added to the journal's tables.
 * Those that the sealer has noted are in `journal_pending`; the others changed after the position of the log, or at any time while it was not yet
 * compared with all documents. A database that was copied to another server may contain numbers that are still to be given; the comparison finds those.
 */
const signedSince = firstWithinBytes({
  ...reading,
  among: `select p.operation_id from journal_pending p
      where p.organization_id = $1 and p.environment = $2 and p.operation_id > $4 and ${isUnsummed("p")}
    union
    select m.operation_id from operations m where m.organization_id = $1 and m.environment = $2 and m.status = 'FISCALIZED' and m.operation_id > $4
      and m.moved_by >= coalesce(${ofComparedLog("l.moved_by")}, '0'::xid8)
      and m.moved_by < coalesce(${ofComparedLog("$5::text::xid8")}, '18446744073709551615'::xid8)
      and exists (select from journal_entries e where e.organization_id = $1 and e.operation_id = m.operation_id offset 0) and ${isUnsummed("m")}`,
  selected: `${isReceipt} and o.created_at <= $3`,
  order: ["operation_id"]
})

/** No time where the horizon was opened and nothing is summed yet: `-infinity` is no valid `Date`. */
const horizonOf = `select case when taken_to = '-infinity' then null else taken_to end as taken_to
  from journal_horizons where organization_id = $1 and environment = $2`

const noUuid = "00000000-0000-0000-0000-000000000000"
const startOfTime = new Date(0)

interface StoredFacts {
  readonly pfr: { readonly sdcTime: string }
  readonly taxes: ReadonlyArray<{ readonly label: string; readonly categoryType: number; readonly rate: StoredDecimal; readonly amount: StoredDecimal }>
}

const readDocument = (row: ReceiptRow): TurnoverDocument => {
  const { pfr, taxes } = JSON.parse(row.answer_facts) as StoredFacts
  return {
    businessPremiseId: row.premise_id as TurnoverDocument["businessPremiseId"],
    status: "FISCALIZED",
    content: turnoverContent(JSON.parse(row.content) as StoredContent),
    answer: { pfr, taxes: taxes.map(({ amount, categoryType, label, rate }) => ({ label, categoryType, rate: readStoredDecimal(rate), amount: readStoredDecimal(amount) })) }
  }
}

const isAskedFor = ({ created_at, taxpayer_id }: ReceiptRow, document: TurnoverDocument, query: TurnoverQuery): boolean =>
  countsAsTurnover(document) && matchesTurnoverQuery(query, { ...document, taxpayerId: taxpayer_id as TaxpayerId, createdAt: utc(created_at) })

/**
 * Hands over the receipts that the report counts and that the worker has not summed yet: created after its horizon, or receipts only since then.
 * Ends where `use` answers that it takes no more. Throws `FiscalDocumentUnreadable`.
 */
export const eachUnsummedReceipt = Effect.fnUntraced(function*(
  tx: PgStatements,
  { environment, organizationId }: Tenant,
  query: TurnoverQuery,
  use: (document: TurnoverDocument) => boolean
) {
  const scope = [organizationId, environment]
  const take = (sql: string, ...behind: ReadonlyArray<unknown>) =>
    inParts(tx.query<ReceiptRow>(sql, [...scope, ...behind]), (rows): ReceiptRow | null => {
      for (const row of rows) {
        const document = orUnreadable(row.operation_id, () => readDocument(row))
        if (isAskedFor(row, document, query) && !use(document)) return null
      }
      return rows.at(-1) ?? null
    })
  const [horizon] = yield* tx.query<{ readonly taken_to: Date | null }>(horizonOf, scope)
  const takenTo = horizon?.taken_to ?? startOfTime
  for (let last: Pick<ReceiptRow, "created_at" | "operation_id"> | null = { created_at: takenTo, operation_id: noUuid }; last !== null;) {
    last = yield* take(createdSince, takenTo, last.created_at, last.operation_id)
  }
  const [running] = yield* tx.query<RunningTransactions>(runningTransactions)
  for (let last: Pick<ReceiptRow, "operation_id"> | null = { operation_id: noUuid }; last !== null;) {
    last = yield* take(signedSince, takenTo, last.operation_id, running?.next)
  }
})
