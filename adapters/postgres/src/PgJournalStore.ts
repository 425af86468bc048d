import {
  type FiscalDocumentId,
  type JournalFilter,
  type JournalLine,
  journalPage,
  type JournalPlace,
  JournalStore,
  matchesJournalFilter,
  type Tenant,
  type TurnoverQuery,
  turnoverSummary
} from "@overa/domain"
import { Effect, Layer } from "effect"
import { journalKeys } from "./journal/journalKeys.ts"
import { dateOf, type Place } from "./journal/journalConditions.ts"
import { readLabels } from "./journal/documentLabels.ts"
import { decodeLine, lineColumns, type LineRow } from "./journal/journalLines.ts"
import { summedParts, type SummedRow, summedStatement } from "./journal/turnoverRows.ts"
import { eachUnsummedReceipt } from "./journal/unsummedReceipts.ts"
import { inParts } from "./inParts.ts"
import { PgDatabase, type PgStatements } from "./PgDatabase.ts"
import { raisingUnreadable } from "./operations/raiseUnreadable.ts"
import { decodeOperation, operationColumns, type OperationRow, utc } from "./rows/OperationRow.ts"

/** An operation without its body as received: the journal never shows it, and it would have to be unpacked. */
export const journalColumns = operationColumns.replace("key_body,", "'' as key_body,").replace("key_body_packed,", "null::bytea as key_body_packed,")

const placeOf = ({ cursor }: JournalPlace): Place | null => (cursor === null ? null : { createdAt: dateOf(cursor.createdAt), id: cursor.id })

/** The documents of a page have at most this many bytes in the store, or the page has one document: a body may have a megabyte, and its answer more. */
const bytesOfPage = 1_048_576
/** The same of the documents that one statement of an export reads. */
const bytesOfLines = 1_048_576

/**
 * $3 ids, $4 bytes. The documents in the order of the ids, up to the one at which so many bytes are exceeded; the sizes are known without reading
 * the texts.
 */
const readStatement = (columns: string) => `with sized as materialized (
    select s.operation_id, sum(octet_length(s.content) + coalesce(octet_length(s.answer_text), 0)) over (
      order by array_position($3::uuid[], s.operation_id) rows between unbounded preceding and 1 preceding) as bytes_before
    from operations s where s.organization_id = $1 and s.environment = $2 and s.operation_id = any ($3::uuid[]))
  select ${columns} from operations o where o.organization_id = $1 and o.environment = $2
    and o.operation_id in (select z.operation_id from sized z where z.bytes_before is null or z.bytes_before < $4::int8)`

const operationsByIds = readStatement(journalColumns)
const linesByIds = readStatement(lineColumns)

/** The rows found, in the order of the ids. */
const inOrderOf = <Row extends { readonly operation_id: string }>(ids: ReadonlyArray<FiscalDocumentId>, rows: ReadonlyArray<Row>): ReadonlyArray<Row> => {
  const byId = new Map(rows.map((row) => [row.operation_id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

const make = Effect.gen(function*() {
  const database = yield* PgDatabase

  const read = Effect.fn("JournalStore.read")(function*(tenant: Tenant, ids: ReadonlyArray<FiscalDocumentId>) {
    const reading = database.read<OperationRow>(operationsByIds, [tenant.organizationId, tenant.environment, ids, bytesOfPage])
    return yield* inParts(reading, (rows) => inOrderOf(ids, rows).map(decodeOperation)).pipe(raisingUnreadable(database, tenant.organizationId))
  })

  const inTurn = <A, E, R>(report: Effect.Effect<A, E, R>, { organizationId }: Tenant) => database.inTurn(organizationId)(report)

  return JournalStore.of({
    lines: Effect.fn("JournalStore.lines")(function*(tenant: Tenant, ids: ReadonlyArray<FiscalDocumentId>) {
      const lines: Array<JournalLine> = []
      for (let left = ids; left.length > 0;) {
        const reading = database.read<LineRow>(linesByIds, [tenant.organizationId, tenant.environment, left, bytesOfLines])
        const some = left
        const read = yield* inParts(reading, (rows) => inOrderOf(some, rows).map(decodeLine)).pipe(raisingUnreadable(database, tenant.organizationId))
        for (const line of read) lines.push(line)
        const last = read.at(-1)
        left = last === undefined ? [] : left.slice(left.indexOf(last.id) + 1)
      }
      return lines
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
      return keys.map(({ id }) => id as FiscalDocumentId)
    }, inTurn),
    labels: Effect.fn("JournalStore.labels")(function*(tenant: Tenant, ids: ReadonlyArray<FiscalDocumentId>) {
      return yield* readLabels(database, tenant, ids).pipe(raisingUnreadable(database, tenant.organizationId))
    }, inTurn),
    turnover: Effect.fn("JournalStore.turnover")(function*(tenant: Tenant, query: TurnoverQuery) {
      return yield* database.transaction(Effect.fnUntraced(function*(tx: PgStatements) {
        // All statements see one snapshot: a receipt that is indexed meanwhile would otherwise be missed or counted twice.
        yield* tx.query("set transaction isolation level repeatable read, read only")
        const summary = turnoverSummary(query.groupBy)
        const { sql, values } = summedStatement(tenant, query)
        for (const row of yield* tx.query<SummedRow>(sql, values)) summary.addSummed(summedParts(row, query.groupBy))
        yield* eachUnsummedReceipt(tx, tenant, query, summary.add)
        return summary.rows()
      }))
    }, inTurn)
  })
})

/** The journal of every tenant. */
export const layerJournalStore: Layer.Layer<JournalStore, never, PgDatabase> = Layer.effect(JournalStore, make)
