import { DocumentCounts } from "@overa/domain"
import { BigDecimal, DateTime, Effect, Layer } from "effect"
import { PgDatabase } from "./PgDatabase.ts"

const make = Effect.gen(function*() {
  const database = yield* PgDatabase
  return DocumentCounts.of({
    fiscalized: Effect.fn("DocumentCounts.fiscalized")(function*(tenant, range) {
      const [row] = yield* database.read<{ readonly documents: bigint }>(
        `select count(*) as documents from operations
         where organization_id = $1 and environment = $2 and status = 'FISCALIZED' and invoice_type not in ('PROFORMA', 'TRAINING')
           and sdc_time >= $3 and sdc_time < $4`,
        [tenant.organizationId, tenant.environment, DateTime.toDateUtc(range.from), DateTime.toDateUtc(range.to)]
      )
      return Number(row?.documents ?? 0)
    }),
    refunds: Effect.fn("DocumentCounts.refunds")(function*(tenant, range) {
      const rows = yield* database.read<{ readonly day: string; readonly receipts: bigint; readonly amount: string }>(
        `select to_char(sdc_time at time zone 'Europe/Belgrade', 'YYYY-MM-DD') as day, count(*) as receipts,
           sum(signed_total)::text as amount
         from operations
         where organization_id = $1 and environment = $2 and status = 'FISCALIZED' and transaction_type = 'REFUND'
           and invoice_type in ('NORMAL', 'ADVANCE') and sdc_time >= $3 and sdc_time < $4
         group by day order by day`,
        [tenant.organizationId, tenant.environment, DateTime.toDateUtc(range.from), DateTime.toDateUtc(range.to)]
      )
      return rows.map(({ amount, day, receipts }) => ({ day, receipts: Number(receipts), amount: BigDecimal.fromStringUnsafe(amount) }))
    })
  })
})

/** Receipts counted by PFR time. */
export const layerDocumentCounts: Layer.Layer<DocumentCounts, never, PgDatabase> = Layer.effect(DocumentCounts, make)
