import {
  type FiscalDocumentId,
  type JournalFilter,
  journalPage,
  type JournalPlace,
  JournalStore,
  matchesJournalFilter,
  type Operation,
  type Tenant,
  type TurnoverQuery,
  turnoverSummary
} from "@overa/domain"
import { Effect, Layer } from "effect"
import { journalKeys } from "./journal/journalKeys.ts"
import { dateOf, type Place } from "./journal/journalConditions.ts"
import { isAskedFor, summedParts, type SummedRow, summedStatement } from "./journal/turnoverRows.ts"
import { decodeLine, type LineRow, linesStatement } from "./journal/journalLines.ts"
import { runningTransactions } from "./journal-log/logStatements.ts"
import type { RunningTransactions } from "./journal-log/sealingPosition.ts"
import { PgDatabase, type PgStatements } from "./PgDatabase.ts"
import { raisingUnreadable } from "./operations/raiseUnreadable.ts"
import { decodeOperation, operationColumns, type OperationRow, utc } from "./rows/OperationRow.ts"

/** An operation without its body as received: the journal never shows it, and it would have to be unpacked. */
export const journalColumns = operationColumns.replace("key_body,", "'' as key_body,").replace("key_body_packed,", "null::bytea as key_body_packed,")

const placeOf = ({ cursor }: JournalPlace): Place | null => (cursor === null ? null : { createdAt: dateOf(cursor.createdAt), id: cursor.id })

/** Receipts read at once where the report must read the operations themselves. */
const receiptsAtOnce = 2_000

/** The documents of a page have at most this many bytes in the store, or the page has one document: a body may have a megabyte, and its answer more. */
const bytesOfPage = 4_194_304

/** $3 ids, $4 bytes. The latest of the documents, up to the one at which so many bytes are exceeded; the sizes are known without reading the texts. */
const readStatement = `with sized as materialized (
    select s.operation_id, sum(octet_length(s.content) + coalesce(octet_length(s.answer_text), 0)) over (
      order by s.created_at desc, s.operation_id desc rows between unbounded preceding and 1 preceding) as bytes_before
    from operations s where s.organization_id = $1 and s.environment = $2 and s.operation_id = any ($3::uuid[]))
  select ${journalColumns} from operations o where o.organization_id = $1 and o.environment = $2
    and o.operation_id in (select z.operation_id from sized z where z.bytes_before is null or z.bytes_before < $4::int8)`

const receipts = "status = 'FISCALIZED' and invoice_type in ('NORMAL', 'ADVANCE')"

const notTakenIn = `select ${journalColumns} from operations
  where organization_id = $1 and environment = $2 and created_at > $3 and (created_at, operation_id) > ($4::timestamptz, $5::uuid) and ${receipts}
  order by created_at, operation_id limit ${receiptsAtOnce}`

const ofComparedLog = (value: string): string =>
  `(select ${value} from journal_log_positions l where l.organization_id = $1 and l.environment = $2 and l.swept_at is not null)`

/**
 * $1 organization, $2 environment, $3 next transaction: receipts that were no receipts when they were added to the journal's tables. Those that the
 * sealer has noted are in `journal_pending`; the others moved behind the position of the log, or at any time while it was not yet compared with all
 * documents. A database that was copied to another server may contain numbers that are still to be given; the comparison finds those.
 */
const foundSince = `select ${journalColumns} from operations o
  where o.organization_id = $1 and o.environment = $2 and ${receipts}
    and o.operation_id in (
      select p.operation_id from journal_pending p where p.organization_id = $1 and p.environment = $2
      union all
      select m.operation_id from operations m where m.organization_id = $1 and m.environment = $2 and m.status = 'FISCALIZED'
        and m.moved_by >= coalesce(${ofComparedLog("l.moved_by")}, '0'::xid8)
        and m.moved_by < coalesce(${ofComparedLog("$3::text::xid8")}, '18446744073709551615'::xid8)
        and exists (select from journal_entries e where e.organization_id = $1 and e.operation_id = m.operation_id))
    and not exists (select from turnover_parts t where t.organization_id = $1 and t.operation_id = o.operation_id)`

const noUuid = "00000000-0000-0000-0000-000000000000"
const startOfTime = new Date(0)

/** The rows found, in the order of the ids. */
const inOrderOf = <Row extends { readonly operation_id: string }>(ids: ReadonlyArray<FiscalDocumentId>, rows: ReadonlyArray<Row>): ReadonlyArray<Row> => {
  const byId = new Map(rows.map((row) => [row.operation_id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

const make = Effect.gen(function*() {
  const database = yield* PgDatabase

  const read = Effect.fn("JournalStore.read")(function*(tenant: Tenant, ids: ReadonlyArray<FiscalDocumentId>) {
    const rows = yield* database.read<OperationRow>(readStatement, [tenant.organizationId, tenant.environment, ids, bytesOfPage])
    return yield* Effect.sync(() => inOrderOf(ids, rows).map(decodeOperation)).pipe(raisingUnreadable(database, tenant.organizationId))
  })

  /** What the worker has not indexed yet: operations created since, or found to be receipts since. */
  const addOthers = Effect.fnUntraced(function*(tx: PgStatements, tenant: Tenant, add: (operation: Operation) => void) {
    const scope = [tenant.organizationId, tenant.environment]
    const [horizon] = yield* tx.query<{ readonly taken_to: Date }>(
      "select taken_to from journal_horizons where organization_id = $1 and environment = $2",
      scope
    )
    const takenTo = horizon?.taken_to ?? startOfTime
    for (let place: Place | null = { createdAt: takenTo, id: noUuid }; place !== null;) {
      const rows: ReadonlyArray<OperationRow> = yield* tx.query<OperationRow>(notTakenIn, [...scope, takenTo, place.createdAt, place.id])
      rows.map(decodeOperation).forEach(add)
      const last = rows.at(-1)
      place = rows.length < receiptsAtOnce || last === undefined ? null : { createdAt: last.created_at, id: last.operation_id }
    }
    const [running] = yield* tx.query<RunningTransactions>(runningTransactions)
    const late = yield* tx.query<OperationRow>(foundSince, [...scope, running?.next])
    late.filter((row) => row.created_at <= takenTo).map(decodeOperation).forEach(add)
  })

  const inTurn = <A, E, R>(report: Effect.Effect<A, E, R>, { organizationId }: Tenant) => database.inTurn(organizationId)(report)

  return JournalStore.of({
    lines: Effect.fn("JournalStore.lines")(function*(tenant: Tenant, ids: ReadonlyArray<FiscalDocumentId>) {
      const { sql, values } = linesStatement(tenant, ids)
      const rows = inOrderOf(ids, yield* database.read<LineRow>(sql, values))
      return yield* Effect.sync(() => rows.map(decodeLine)).pipe(raisingUnreadable(database, tenant.organizationId))
    }, inTurn),
    page: Effect.fn("JournalStore.page")(function*(tenant: Tenant, filter: JournalFilter, place: JournalPlace) {
      const { pageSize } = place
      const keys = yield* journalKeys(database, { tenant, filter, behind: placeOf(place), limit: pageSize + 1 })
      const { items, nextCursor } = journalPage(
        keys.map(({ createdAt, id }) => ({ createdAt: utc(createdAt), id: id as FiscalDocumentId })),
        pageSize
      )
      const operations = yield* read(tenant, items.map(({ id }) => id))
      const last = operations.at(-1)
      const isCut = last !== undefined && operations.length < items.length
      // An operation that changed between the two statements may no longer match the filter.
      return {
        items: operations.filter((operation) => matchesJournalFilter(filter, operation)),
        nextCursor: isCut ? { createdAt: last.createdAt, id: last.id } : nextCursor
      }
    }, inTurn),
    select: Effect.fn("JournalStore.select")(function*(tenant: Tenant, filter: JournalFilter, most: number) {
      const keys = yield* journalKeys(database, { tenant, filter, behind: null, limit: most })
      return {
        ids: keys.map(({ id }) => id as FiscalDocumentId),
        labels: [...new Set(keys.flatMap(({ labels }) => labels))].sort()
      }
    }, inTurn),
    turnover: Effect.fn("JournalStore.turnover")(function*(tenant: Tenant, query: TurnoverQuery) {
      return yield* database.transaction(Effect.fnUntraced(function*(tx: PgStatements) {
        // All statements see one snapshot: a receipt that is indexed meanwhile would otherwise be missed or counted twice.
        yield* tx.query("set transaction isolation level repeatable read, read only")
        const summary = turnoverSummary(query.groupBy)
        const { sql, values } = summedStatement(tenant, query)
        for (const row of yield* tx.query<SummedRow>(sql, values)) summary.addSummed(summedParts(row, query.groupBy))
        yield* addOthers(tx, tenant, (operation) => {
          if (isAskedFor(operation, query)) summary.add(operation)
        })
        return summary.rows()
      }))
    }, inTurn)
  })
})

/** The journal of every tenant. */
export const layerJournalStore: Layer.Layer<JournalStore, never, PgDatabase> = Layer.effect(JournalStore, make)
