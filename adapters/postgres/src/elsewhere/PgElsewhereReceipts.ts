import {
  type Act, type ElsewhereFilter, ElsewhereImportRefused, ElsewhereReceipts, ElsewhereTally, type FoundElsewhere, numbersIn, settleElsewhere, type StoredElsewhere,
  StoreUnavailable, type TaxpayerId, TaxpayerNotFound, type Tenant
} from "@overa/domain"
import { BigDecimal, DateTime, Effect, Layer, Option, Stream } from "effect"
import { recordActivity, rightNow } from "../administration/activity.ts"
import { PgDatabase, type PgStatements } from "../PgDatabase.ts"
import { decodeElsewhere, elsewhereJson, type ElsewhereRow } from "./elsewhereRows.ts"
import { longTransaction } from "./longTransaction.ts"
import * as statements from "./elsewhereStatements.ts"

const inScope = ({ environment, organizationId }: Tenant, ...others: ReadonlyArray<unknown>) => [organizationId, environment, ...others]

const dateOrNull = (at: DateTime.Utc | null): Date | null => at === null ? null : new Date(DateTime.toEpochMillis(at))

const filtered = (tenant: Tenant, { pfrFrom, pfrNumber, pfrTo, taxpayerId }: ElsewhereFilter) =>
  inScope(tenant, taxpayerId, dateOrNull(pfrFrom), dateOrNull(pfrTo), pfrNumber)

const storedOf = Effect.fnUntraced(function*(tx: PgStatements, tenant: Tenant, taxpayerId: TaxpayerId, batch: ReadonlyArray<FoundElsewhere>) {
  const numbers = numbersIn(batch)
  const rows = yield* tx.query<ElsewhereRow>(statements.findStored, inScope(tenant, numbers))
  const own = yield* tx.query<{ readonly pfr_number: string; readonly id: string }>(statements.findOwn, inScope(tenant, numbers))
  return {
    receipts: new Map(rows.filter((row) => row.taxpayer_id === taxpayerId).map((row) => [row.pfr_number, decodeElsewhere(row)])),
    own: new Map(own.map((row) => [row.pfr_number, row.id])),
    others: new Map(rows.filter((row) => row.taxpayer_id !== taxpayerId).map((row) => [row.pfr_number, row.taxpayer_id]))
  } satisfies StoredElsewhere
})

const keepBatch = Effect.fnUntraced(function*(tx: PgStatements, tenant: Tenant, taxpayerId: TaxpayerId, batch: ReadonlyArray<FoundElsewhere>, tally: ElsewhereTally) {
  const changed = settleElsewhere(batch, yield* storedOf(tx, tenant, taxpayerId, batch), tally)
  // After a fault nothing is stored; the rest is read so that every fault is told.
  if (changed.length === 0 || tally.faults.count > 0) return
  const kept = yield* tx.query(statements.keepElsewhere, inScope(tenant, taxpayerId, elsewhereJson(changed), yield* rightNow))
  if (kept.length < changed.length) {
    return yield* new StoreUnavailable({ committed: "no", cause: new Error("another taxpayer's import has taken one of these numbers meanwhile") })
  }
})

const lock = Effect.fnUntraced(function*(tx: PgStatements, tenant: Tenant, taxpayerId: TaxpayerId) {
  const found = yield* tx.query(statements.lockTaxpayer, inScope(tenant, taxpayerId))
  if (found.length === 0) return yield* new TaxpayerNotFound({ taxpayerId })
})

const importWithin = Effect.fnUntraced(function*<E>(
  tx: PgStatements,
  act: Act,
  tenant: Tenant,
  taxpayerId: TaxpayerId,
  found: Stream.Stream<ReadonlyArray<FoundElsewhere>, E>
) {
  yield* lock(tx, tenant, taxpayerId)
  const tally = new ElsewhereTally()
  yield* Stream.runForEach(found, (batch) => keepBatch(tx, tenant, taxpayerId, batch, tally))
  if (tally.faults.count > 0) return yield* new ElsewhereImportRefused(tally.faults)
  const { result } = tally
  if (result.added + result.completed > 0) {
    yield* recordActivity(tx, act, { organizationId: tenant.organizationId, act: "receipts of another ESIR imported", subject: taxpayerId, before: null, after: result })
  }
  return result
})

interface DayRow {
  readonly day: string
  readonly receipts: number
  readonly sales: string
  readonly refunds: string
}

/** Receipts issued elsewhere. */
export const layerElsewhereReceipts: Layer.Layer<ElsewhereReceipts, never, PgDatabase> = Layer.effect(
  ElsewhereReceipts,
  Effect.map(PgDatabase, (database) =>
    ElsewhereReceipts.of({
      importAll: (act, tenant, taxpayerId, found) => longTransaction(database, (tx) => importWithin(tx, act, tenant, taxpayerId, found)),
      get: Effect.fn("ElsewhereReceipts.get")(function*(tenant: Tenant, taxpayerId: TaxpayerId, pfrNumber: string) {
        const [row] = yield* database.read<ElsewhereRow>(statements.findElsewhere, inScope(tenant, taxpayerId, pfrNumber))
        return Option.map(Option.fromNullishOr(row), decodeElsewhere)
      }),
      page: Effect.fn("ElsewhereReceipts.page")(function*(tenant: Tenant, filter: ElsewhereFilter, after: string | null, pageSize: number) {
        const rows = yield* database.read<ElsewhereRow>(statements.pageElsewhere, [...filtered(tenant, filter), after, pageSize + 1])
        const items = rows.slice(0, pageSize).map((row) => ({ taxpayerId: row.taxpayer_id, receipt: decodeElsewhere(row) }))
        return { items, next: rows.length > pageSize ? items.at(-1)?.receipt.pfrNumber ?? null : null }
      }, database.inTurn),
      days: Effect.fn("ElsewhereReceipts.days")(function*(tenant: Tenant, filter: ElsewhereFilter) {
        const rows = yield* database.read<DayRow>(statements.sumDays, filtered(tenant, filter))
        return rows.map(({ day, receipts, refunds, sales }) => ({ day, receipts, sales: BigDecimal.fromStringUnsafe(sales), refunds: BigDecimal.fromStringUnsafe(refunds) }))
      }, database.inTurn),
      remove: Effect.fn("ElsewhereReceipts.remove")(function*(act: Act, tenant: Tenant, taxpayerId: TaxpayerId, olderThanDays: number) {
        const before = dateOrNull(DateTime.subtract(yield* DateTime.now, { days: olderThanDays }))
        return yield* database.transaction(Effect.fnUntraced(function*(tx: PgStatements) {
          yield* lock(tx, tenant, taxpayerId)
          const removed = (yield* tx.query(statements.removeElsewhere, inScope(tenant, taxpayerId, before))).length
          const after = { removed, olderThanDays }
          if (removed > 0) yield* recordActivity(tx, act, { organizationId: tenant.organizationId, act: "receipts of another ESIR removed", subject: taxpayerId, before: null, after })
          return removed
        }))
      })
    }))
)
