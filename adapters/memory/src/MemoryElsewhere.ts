import {
  belgradeDay, type ElsewhereDay, type ElsewhereFilter, ElsewhereImportRefused, type ElsewhereReceipt, ElsewhereReceipts, ElsewhereTally, type FiscalDocumentId, type FoundElsewhere, isTurnoverElsewhere, numbersIn, settleElsewhere,
  type StoredElsewhere, type StoredElsewhereReceipt, type TaxpayerId, TaxpayerNotFound, TenancyDirectory, type Tenant
} from "@overa/domain"
import { BigDecimal, DateTime, Effect, Layer, Option, Stream } from "effect"
import { MemoryOperations } from "./MemoryOperations.ts"

interface Kept extends Tenant, StoredElsewhereReceipt {}

const isLater = (one: Kept, other: Kept): number =>
  DateTime.toEpochMillis(other.receipt.pfrTime) - DateTime.toEpochMillis(one.receipt.pfrTime) || (one.receipt.pfrNumber > other.receipt.pfrNumber ? -1 : 1)

const matches = ({ pfrFrom, pfrNumber, pfrTo, taxpayerId }: ElsewhereFilter) => (kept: Kept): boolean =>
  (taxpayerId === null || kept.taxpayerId === taxpayerId) &&
  (pfrFrom === null || DateTime.isGreaterThanOrEqualTo(kept.receipt.pfrTime, pfrFrom)) &&
  (pfrTo === null || DateTime.isLessThan(kept.receipt.pfrTime, pfrTo)) &&
  (pfrNumber === null || kept.receipt.pfrNumber.startsWith(pfrNumber))

const zero = BigDecimal.make(0n, 2)

const elsewhereDays = (receipts: Iterable<ElsewhereReceipt>): ReadonlyArray<ElsewhereDay> => {
  const days = new Map<string, ElsewhereDay>()
  for (const receipt of receipts) {
    if (!isTurnoverElsewhere(receipt)) continue
    const day = belgradeDay(receipt.pfrTime)
    const before = days.get(day) ?? { day, receipts: 0, sales: zero, refunds: zero }
    days.set(day, receipt.transactionType === "SALE"
      ? { ...before, receipts: before.receipts + 1, sales: BigDecimal.sum(before.sales, receipt.totalAmount) }
      : { ...before, receipts: before.receipts + 1, refunds: BigDecimal.subtract(before.refunds, receipt.totalAmount) })
  }
  return [...days.values()].toSorted((one, other) => one.day < other.day ? -1 : 1)
}

/** Receipts issued elsewhere, in memory. */
export const layerElsewhereReceipts: Layer.Layer<ElsewhereReceipts, never, MemoryOperations | TenancyDirectory> = Layer.effect(
  ElsewhereReceipts,
  Effect.gen(function*() {
    const { byId } = yield* MemoryOperations
    const directory = yield* TenancyDirectory
    let kept: ReadonlyArray<Kept> = []
    const isOf = ({ environment, organizationId }: Tenant) => (one: Tenant): boolean => one.organizationId === organizationId && one.environment === environment

    const refuseForeign = Effect.fnUntraced(function*(tenant: Tenant, taxpayerId: TaxpayerId) {
      const theirs = (yield* directory.taxpayers(tenant)).some(({ id }) => id === taxpayerId)
      if (!theirs) return yield* new TaxpayerNotFound({ taxpayerId })
    })

    const ownNumbers = (tenant: Tenant): ReadonlyMap<string, FiscalDocumentId> =>
      new Map([...byId.values()].flatMap(({ operation }) => isOf(tenant)(operation) && operation.answer !== null ? [[operation.answer.pfr.invoiceNumber, operation.id] as const] : []))

    /** Those that another ESIR has issued: one of ours may have been imported while its outcome was unknown. */
    const ofAnotherEsir = (tenant: Tenant) => {
      const own = ownNumbers(tenant)
      return kept.filter((one) => isOf(tenant)(one) && !own.has(one.receipt.pfrNumber))
    }

    const stored = (among: ReadonlyArray<Kept>, tenant: Tenant, taxpayerId: TaxpayerId, batch: ReadonlyArray<FoundElsewhere>): StoredElsewhere => {
      const numbers = new Set(numbersIn(batch))
      const asked = among.filter((one) => isOf(tenant)(one) && numbers.has(one.receipt.pfrNumber))
      return {
        receipts: new Map(asked.filter((one) => one.taxpayerId === taxpayerId).map(({ receipt }) => [receipt.pfrNumber, receipt])),
        own: ownNumbers(tenant),
        others: new Map(asked.filter((one) => one.taxpayerId !== taxpayerId).map((one) => [one.receipt.pfrNumber, one.taxpayerId]))
      }
    }

    const withChanged = (among: ReadonlyArray<Kept>, { environment, organizationId }: Tenant, taxpayerId: TaxpayerId, changed: ReadonlyArray<ElsewhereReceipt>) => {
      const numbers = new Set(changed.map(({ pfrNumber }) => pfrNumber))
      const others = among.filter((one) => !(isOf({ environment, organizationId })(one) && numbers.has(one.receipt.pfrNumber)))
      return [...others, ...changed.map((receipt): Kept => ({ environment, organizationId, taxpayerId, receipt }))]
    }

    return ElsewhereReceipts.of({
      importAll: Effect.fnUntraced(function*(_act, tenant, taxpayerId, found) {
        yield* refuseForeign(tenant, taxpayerId)
        const tally = new ElsewhereTally()
        const batches = yield* Stream.runCollect(found)
        let after = kept
        for (const batch of batches) after = withChanged(after, tenant, taxpayerId, settleElsewhere(batch, stored(after, tenant, taxpayerId, batch), tally))
        if (tally.faults.count > 0) return yield* new ElsewhereImportRefused(tally.faults)
        kept = after
        return tally.result
      }),
      get: (tenant, taxpayerId, pfrNumber) =>
        Effect.sync(() => Option.fromNullishOr(ofAnotherEsir(tenant).find((one) => one.taxpayerId === taxpayerId && one.receipt.pfrNumber === pfrNumber)?.receipt)),
      page: (tenant, filter, after, pageSize) =>
        Effect.sync(() => {
          const all = ofAnotherEsir(tenant).filter(matches(filter)).toSorted(isLater)
          const rest = all.slice(all.findIndex(({ receipt }) => receipt.pfrNumber === after) + 1)
          const items = rest.slice(0, pageSize)
          return { items: items.map(({ receipt, taxpayerId }) => ({ receipt, taxpayerId })), next: rest.length > pageSize ? items.at(-1)?.receipt.pfrNumber ?? null : null }
        }),
      days: (tenant, filter) => Effect.sync(() => elsewhereDays(ofAnotherEsir(tenant).filter(matches(filter)).map(({ receipt }) => receipt))),
      remove: Effect.fnUntraced(function*(_act, tenant, taxpayerId, olderThanDays) {
        yield* refuseForeign(tenant, taxpayerId)
        const before = DateTime.subtract(yield* DateTime.now, { days: olderThanDays })
        const isRemoved = (one: Kept) => isOf(tenant)(one) && one.taxpayerId === taxpayerId && DateTime.isLessThan(one.receipt.pfrTime, before)
        const left = kept.filter((one) => !isRemoved(one))
        const removed = kept.length - left.length
        kept = left
        return removed
      })
    })
  })
)
