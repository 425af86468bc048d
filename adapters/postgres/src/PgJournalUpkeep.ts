import { type Environment, JournalUpkeep, type Operation, type Tenant } from "@overa/domain"
import { Array as Arr, Clock, Effect, Layer, Result } from "effect"
import { blankEntry, entryOf, fillEntries, insertEntries, insertPending } from "./journal/journalEntries.ts"
import { openHorizon } from "./journal/receiptsFoundSince.ts"
import { raiseUnreadable } from "./operations/raise.ts"
import { addTurnover, sumEarlierParts, summedAtOnce } from "./journal/turnoverDays.ts"
import { PgDatabase, type PgStatements } from "./PgDatabase.ts"
import type { PgFailure } from "./PgFailure.ts"
import { journalColumns } from "./PgJournalStore.ts"
import { decodeOperation, type OperationRow } from "./rows/OperationRow.ts"
import { firstWithinBytes, isCutByBytes } from "./rows/firstWithinBytes.ts"
import { readRow } from "./rows/orUnreadable.ts"

/** Operations indexed by one commit, and their texts in bytes; one operation may have more. */
const atOnce = 500
const bytesAtOnce = 4_194_304

const hour = 60 * 60_000

/**
 * How far behind the horizon each pass looks again for operations that were stored late. An operation is stored at most some seconds after its own
 * creation time, unless its host's clock is behind.
 */
const overlapMillis = hour

/** How often a worker looks much further back, for operations of a host whose clock was hours or days behind. */
const widePassMillis = hour
const wideOverlapMillis = 30 * 24 * hour

interface OwnedRow {
  readonly organization_id: string
  readonly environment: Environment
}

// Read without a lock, over all organizations; each one is then indexed separately.
const waiting = `select g.organization_id, v.environment
  from organizations g cross join (values ('sandbox'), ('production')) v (environment)
  left join journal_horizons h on h.organization_id = g.organization_id and h.environment = v.environment
  where exists (
    select from operations o where o.organization_id = g.organization_id and o.environment = v.environment
      and o.created_at <= now() - $1::float8 * interval '1 millisecond' and o.created_at > coalesce(h.taken_to, '-infinity'))`

// Operations stored behind a horizon that had already passed; only a clock that is behind causes them. One that is taken back may be of any age, and is
// entered by its own commit (`enterBehindHorizon`).
export const lateOperations = `select h.organization_id, h.environment from journal_horizons h
  where exists (
    select from operations o where o.organization_id = h.organization_id and o.environment = h.environment
      and o.created_at <= h.taken_to and o.created_at > h.taken_to - $1::float8 * interval '1 millisecond'
      and not exists (select from journal_entries e where e.organization_id = o.organization_id and e.operation_id = o.operation_id offset 0))`

const resolved = `select distinct p.organization_id, p.environment from journal_pending p
  join operations o on o.organization_id = p.organization_id and o.operation_id = p.operation_id
  where o.status in ('FISCALIZED', 'REJECTED', 'NOT_FISCALIZED')`

// Parts that a host of an earlier release has added: in no sum, or in none of refunds.
const unsided = `select h.organization_id, h.environment from journal_horizons h
  where exists (select from turnover_parts p where p.organization_id = h.organization_id and p.environment = h.environment and not p.sided)`

const lock = `select case when taken_to = '-infinity' then null else taken_to end as taken_to, now() as now
  from journal_horizons where organization_id = $1 and environment = $2 for update`

/**
 * `offset 0`: each document is looked up by its key. An organization that has just come has no statistics: the planner takes it for one of no entries, and compared each of its documents
 * with all of them.
 */
export const nextBatch = firstWithinBytes({
  columns: journalColumns,
  selected: `o.created_at > $3 and o.created_at <= $4
    and not exists (select from journal_entries e where e.organization_id = o.organization_id and e.operation_id = o.operation_id offset 0)`,
  order: ["created_at", "operation_id"],
  limit: atOnce,
  bytes: bytesAtOnce,
  texts: "answer and content"
})

// Entries that a host of an earlier release has added, without the amount and the number.
const unfilled = `select h.organization_id, h.environment from journal_horizons h
  where exists (select from journal_entries e where e.organization_id = h.organization_id and e.environment = h.environment and e.amount is null)`

const nextUnfilled = firstWithinBytes({
  columns: journalColumns,
  among: `select e.operation_id from journal_entries e where e.organization_id = $1 and e.environment = $2 and e.amount is null limit ${atOnce}`,
  selected: "true",
  order: ["operation_id"],
  limit: atOnce,
  bytes: bytesAtOnce,
  texts: "answer and content"
})

const deletePending = `delete from journal_pending where organization_id = $1 and operation_id = any ($2::uuid[])`

const advanceTo = `update journal_horizons set taken_to = greatest(taken_to, $3::timestamptz), first_at = least(first_at, $4::timestamptz)
  where organization_id = $1 and environment = $2`

const settled = firstWithinBytes({
  columns: journalColumns,
  among: "select p.operation_id from journal_pending p where p.organization_id = $1 and p.environment = $2",
  selected: "o.status in ('FISCALIZED', 'REJECTED', 'NOT_FISCALIZED')",
  order: ["operation_id"],
  limit: atOnce,
  bytes: bytesAtOnce,
  texts: "answer and content"
})

/** What one commit took in, and whether there may be more. */
interface Batch {
  readonly taken: number
  readonly more: boolean
}

/** A row of one of the batches. */
interface BatchRow extends OperationRow {
  readonly selected: number
}

/**
 * The document is in flight or its outcome is unknown. What was rejected or not fiscalized is no receipt until somebody sends it again; the
 * sealer then adds it to `journal_pending` (`noteReceiptsFoundSince`).
 */
const isUnsettled = ({ status }: Operation): boolean => status !== "FISCALIZED" && status !== "REJECTED" && status !== "NOT_FISCALIZED"

/** Each row separately: one that cannot be read does not prevent the others from being indexed. */
const decodeEach = (rows: ReadonlyArray<OperationRow>) =>
  Arr.partition(rows, (row) =>
    Result.mapError(readRow(row.operation_id, () => decodeOperation(row)), (failure) => ({ row, failure })))

const make = Effect.gen(function*() {
  const database = yield* PgDatabase

  const takeIn = Effect.fnUntraced(function*(tx: PgStatements, tenant: Tenant, marginMillis: number, behindMillis: number) {
    const scope = [tenant.organizationId, tenant.environment]
    yield* tx.query(openHorizon, scope)
    const [horizon] = yield* tx.query<{ readonly taken_to: Date | null; readonly now: Date }>(lock, scope)
    if (horizon === undefined) return yield* Effect.die(new Error("a horizon that was just created does not exist"))
    const until = new Date(horizon.now.getTime() - marginMillis)
    const since = new Date(Math.max(0, (horizon.taken_to?.getTime() ?? 0) - behindMillis))
    const rows = yield* tx.query<BatchRow>(nextBatch, [...scope, since, until])
    const [operations, unreadable] = decodeEach(rows)
    if (rows.length > 0) {
      const entries = [...operations.map((operation) => entryOf(tenant, operation)), ...unreadable.map(({ row }) => blankEntry(row))]
      yield* tx.query(insertEntries, [...scope, JSON.stringify(entries)])
      yield* addTurnover(tx, tenant, operations)
      const pending = [...operations.filter(isUnsettled).map(({ id }) => id), ...unreadable.map(({ row }) => row.operation_id)]
      yield* tx.query(insertPending, [...scope, pending])
    }
    for (const { failure } of unreadable) yield* raiseUnreadable(tx, tenant.organizationId, failure)
    // Others may have been created in the same millisecond as the last one.
    const more = rows.length === atOnce || isCutByBytes(rows)
    const last = more ? new Date((rows.at(-1)?.created_at.getTime() ?? 0) - 1) : until
    yield* tx.query(advanceTo, [...scope, last, rows[0]?.created_at ?? null])
    return { taken: rows.length, more }
  })

  const settle = Effect.fnUntraced(function*(tx: PgStatements, tenant: Tenant) {
    const scope = [tenant.organizationId, tenant.environment]
    yield* tx.query(openHorizon, scope)
    yield* tx.query(lock, scope)
    const [operations] = decodeEach(yield* tx.query<OperationRow>(settled, scope))
    yield* tx.query(fillEntries, [tenant.organizationId, JSON.stringify(operations.map((operation) => entryOf(tenant, operation)))])
    yield* addTurnover(tx, tenant, operations)
    yield* tx.query(deletePending, [tenant.organizationId, operations.map(({ id }) => id)])
    return operations.length
  })

  const fillEarlier = Effect.fnUntraced(function*(tx: PgStatements, tenant: Tenant) {
    const scope = [tenant.organizationId, tenant.environment]
    yield* tx.query(lock, scope)
    const rows = yield* tx.query<BatchRow>(nextUnfilled, scope)
    const [operations, unreadable] = decodeEach(rows)
    const entries = [...operations.map((operation) => entryOf(tenant, operation)), ...unreadable.map(({ row }) => blankEntry(row))]
    yield* tx.query(fillEntries, [tenant.organizationId, JSON.stringify(entries)])
    return { taken: rows.length, more: rows.length > 0 } satisfies Batch
  })

  const tenantOf = (row: OwnedRow): Tenant => ({ organizationId: row.organization_id as Tenant["organizationId"], environment: row.environment })

  /** Commits batches until there is no more, or about `limit` was taken; answers how many. */
  const inBatches = Effect.fnUntraced(function*(limit: number, batchOf: (tx: PgStatements) => Effect.Effect<Batch, PgFailure>) {
    let taken = 0
    for (let more = true; more && taken < limit;) {
      const batch = yield* database.transaction(batchOf)
      taken += batch.taken
      more = batch.more
    }
    return taken
  })

  const takeInAll = (row: OwnedRow, limit: number, marginMillis: number, behindMillis: number) =>
    inBatches(limit, (tx) => takeIn(tx, tenantOf(row), marginMillis, behindMillis))

  const sumEarlier = Effect.fnUntraced(function*(tx: PgStatements, tenant: Tenant) {
    yield* tx.query(lock, [tenant.organizationId, tenant.environment])
    const taken = yield* sumEarlierParts(tx, tenant)
    return { taken, more: taken === summedAtOnce } satisfies Batch
  })

  let widePassAt = Number.NEGATIVE_INFINITY
  const takeInLate = Effect.fnUntraced(function*(limit: number, marginMillis: number) {
    const now = yield* Clock.currentTimeMillis
    if (now < widePassAt) return 0
    let taken = 0
    for (const row of yield* database.read<OwnedRow>(lateOperations, [wideOverlapMillis])) taken += yield* takeInAll(row, limit - taken, marginMillis, wideOverlapMillis)
    // What is above the limit comes with the next pass.
    if (taken < limit) widePassAt = now + widePassMillis
    return taken
  })

  return JournalUpkeep.of({
    advance: Effect.fn("JournalUpkeep.advance")(function*({ limit, marginMillis }) {
      let taken = yield* takeInLate(limit, marginMillis)
      for (const row of yield* database.read<OwnedRow>(waiting, [marginMillis])) {
        taken += yield* takeInAll(row, limit - taken, marginMillis, overlapMillis)
      }
      for (const row of yield* database.read<OwnedRow>(resolved)) taken += yield* database.transaction((tx) => settle(tx, tenantOf(row)))
      for (const row of yield* database.read<OwnedRow>(unsided)) {
        taken += yield* inBatches(limit - taken, (tx) => sumEarlier(tx, tenantOf(row)))
      }
      for (const row of yield* database.read<OwnedRow>(unfilled)) {
        taken += yield* inBatches(limit - taken, (tx) => fillEarlier(tx, tenantOf(row)))
      }
      return taken
    })
  })
})

/** Adds operations to the journal's index tables. Two workers at once do the work one after the other, and it is done once. */
export const layerJournalUpkeep: Layer.Layer<JournalUpkeep, never, PgDatabase> = Layer.effect(JournalUpkeep, make)
