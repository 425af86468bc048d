import {
  checkTurnoverSize,
  type FiscalDocumentId,
  type JournalFilter,
  journalPage,
  type JournalPlace,
  JournalStore,
  mapInTurns,
  matchesJournalFilter,
  mostTurnoverRows,
  sidesSummary,
  type Tenant,
  type TurnoverDocument,
  type TurnoverQuery,
  turnoverSummary
} from "@overa/domain"
import { Effect, Layer } from "effect"
import { byIdsWithinBytes, inOrderOf } from "./journal/byIds.ts"
import { journalKeys } from "./journal/journalKeys.ts"
import { dateOf, type Place } from "./journal/journalConditions.ts"
import { readLabels } from "./journal/documentLabels.ts"
import { readLines } from "./journal/readLines.ts"
import { eachRefundSum, eachSum } from "./journal/turnoverSums.ts"
import { eachUnsummedReceipt } from "./journal/unsummedReceipts.ts"
import { inParts } from "./inParts.ts"
import { PgDatabase, type PgStatements } from "./PgDatabase.ts"
import type { PgFailure } from "./PgFailure.ts"
import { raisingUnreadable } from "./operations/raise.ts"
import { decodeOperation, operationColumns, type OperationRow, utc } from "./rows/OperationRow.ts"

/** An operation without its body as received: the journal never shows it, and it would have to be unpacked. */
export const journalColumns = operationColumns.replace("key_body,", "'' as key_body,").replace("key_body_packed,", "null::bytea as key_body_packed,")

const placeOf = ({ cursor }: JournalPlace): Place | null => (cursor === null ? null : { createdAt: dateOf(cursor.createdAt), id: cursor.id })

/** The documents of a page have at most this many bytes in the store, or the page has one document: a body may have a megabyte, and its answer more. */
const bytesOfPage = 1_048_576

const operationsByIds = byIdsWithinBytes(journalColumns)

/** A report while its sums are handed over. */
interface Summary {
  readonly add: (document: TurnoverDocument) => void
  readonly size: () => number
}

/** Refused as soon as it is known to have too many rows: before its other sums are read. */
const checked = (summary: Summary) => Effect.suspend(() => Effect.fromResult(checkTurnoverSize(summary.size())))

/** Adds receipts to a report until it has too many rows. */
const untilTooMany = (summary: Summary) => (document: TurnoverDocument): boolean => {
  summary.add(document)
  return summary.size() <= mostTurnoverRows
}

const make = Effect.gen(function*() {
  const database = yield* PgDatabase

  const read = Effect.fn("JournalStore.read")(function*(tenant: Tenant, ids: ReadonlyArray<FiscalDocumentId>) {
    const reading = database.read<OperationRow>(operationsByIds, [tenant.organizationId, tenant.environment, ids, bytesOfPage])
    return yield* inParts(reading, (rows) => inOrderOf(ids, rows).map(decodeOperation)).pipe(raisingUnreadable(database, tenant.organizationId))
  })

  /** All statements see one snapshot: a receipt that is indexed meanwhile would otherwise be missed or counted twice. */
  const inOneSnapshot = <A, E>(body: (tx: PgStatements) => Effect.Effect<A, E | PgFailure>) =>
    database.transaction((tx: PgStatements) => Effect.andThen(tx.query("set transaction isolation level repeatable read, read only"), body(tx)))

  return JournalStore.of({
    lines: Effect.fn("JournalStore.lines")(function*(tenant: Tenant, ids: ReadonlyArray<FiscalDocumentId>) {
      return yield* readLines(database, tenant, ids).pipe(raisingUnreadable(database, tenant.organizationId))
    }, database.inTurn, database.keyed.confirmed),
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
    }, database.inTurn, database.keyed.confirmed),
    select: Effect.fn("JournalStore.select")(function*(tenant: Tenant, filter: JournalFilter, most: number) {
      const keys = yield* journalKeys(database, { tenant, filter, behind: null, limit: most })
      return keys.map(({ id }) => id as FiscalDocumentId)
    }, database.inTurn),
    labels: Effect.fn("JournalStore.labels")(function*(tenant: Tenant, ids: ReadonlyArray<FiscalDocumentId>) {
      return yield* readLabels(database, tenant, ids).pipe(raisingUnreadable(database, tenant.organizationId))
    }, database.inTurn),
    turnover: Effect.fn("JournalStore.turnover")(function*(tenant: Tenant, query: TurnoverQuery) {
      return yield* inOneSnapshot(Effect.fnUntraced(function*(tx: PgStatements) {
        const summary = turnoverSummary(query.groupBy)
        yield* Effect.andThen(eachSum(tx, tenant, query, summary.addSummed), checked(summary))
        yield* Effect.andThen(eachUnsummedReceipt(tx, tenant, query, untilTooMany(summary)), checked(summary))
        return yield* mapInTurns(summary.rows(), (row) => row)
      }))
    }, database.inTurn),
    salesAndRefunds: Effect.fn("JournalStore.salesAndRefunds")(function*(tenant: Tenant, query: TurnoverQuery) {
      return yield* inOneSnapshot(Effect.fnUntraced(function*(tx: PgStatements) {
        const summary = sidesSummary(query.groupBy)
        yield* Effect.andThen(eachSum(tx, tenant, query, summary.addNet), checked(summary))
        yield* eachRefundSum(tx, tenant, query, summary.addRefunds)
        yield* Effect.andThen(eachUnsummedReceipt(tx, tenant, query, untilTooMany(summary)), checked(summary))
        return { rows: yield* mapInTurns(summary.rows(), (row) => row), whole: summary.whole() }
      }))
    }, database.inTurn)
  })
})

/** The journal of every tenant. */
export const layerJournalStore: Layer.Layer<JournalStore, never, PgDatabase> = Layer.effect(JournalStore, make)
