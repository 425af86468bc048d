import { DocumentCounts } from "@overa/domain"
import { DateTime, Effect, Layer } from "effect"
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
    })
  })
})

/** Receipts counted by PFR time. */
export const layerDocumentCounts: Layer.Layer<DocumentCounts, never, PgDatabase> = Layer.effect(DocumentCounts, make)
