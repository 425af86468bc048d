import { type FiscalDocumentId, RecentDocuments, type Tenant } from "@overa/domain"
import { Effect, Layer, Option } from "effect"
import { readFound } from "../journal/readFound.ts"
import { raisingUnreadable } from "../operations/raise.ts"
import { PgDatabase } from "../PgDatabase.ts"
import { decodeOperation, operationColumns, type OperationRow } from "../rows/OperationRow.ts"

// Reads the primary key backwards: version 7 identifiers are in the order of creation.
const pageStatement = `select ${operationColumns} from operations o
  where o.organization_id = $1 and o.environment = $2 and o.operation_id < coalesce($3::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
  order by o.operation_id desc limit $4`

const numberStatement = `select ${operationColumns} from operations o
  where o.organization_id = $1 and o.invoice_number = $3 and o.environment = $2`

const refundsStatement = `select ${operationColumns} from operations o
  where o.organization_id = $1 and o.environment = $2 and o.operation_id in (
    select unnest(array[w.refund_id, w.copy_id]) from refund_workflows w
    where w.organization_id = $1 and w.original_id = any ($3::uuid[]))
  order by o.operation_id limit $4`

/** The newest documents of a tenant, page by page. */
export const layerRecentDocuments: Layer.Layer<RecentDocuments, never, PgDatabase> = Layer.effect(
  RecentDocuments,
  Effect.gen(function*() {
    const database = yield* PgDatabase
    const { confirmed } = database.keyed
    return RecentDocuments.of({
      page: Effect.fn("RecentDocuments.page")(function*(tenant: Tenant, before: FiscalDocumentId | null, limit: number) {
        const rows = yield* database.keyed.read<OperationRow>(pageStatement, [tenant.organizationId, tenant.environment, before, limit])
        return yield* Effect.sync(() => rows.map(decodeOperation)).pipe(raisingUnreadable(database, tenant.organizationId))
      }, confirmed),
      found: Effect.fn("RecentDocuments.found")(function*(tenant: Tenant, ids: ReadonlyArray<FiscalDocumentId>) {
        return yield* readFound(database, tenant, ids)
      }, database.inTurn, confirmed),
      refundsOf: Effect.fn("RecentDocuments.refundsOf")(function*(tenant: Tenant, originals: ReadonlyArray<FiscalDocumentId>, limit: number) {
        const rows = yield* database.keyed.read<OperationRow>(refundsStatement, [tenant.organizationId, tenant.environment, originals, limit])
        return yield* Effect.sync(() => rows.map(decodeOperation)).pipe(raisingUnreadable(database, tenant.organizationId))
      }, confirmed),
      withNumber: Effect.fn("RecentDocuments.withNumber")(function*(tenant: Tenant, pfrNumber: string) {
        const [row] = yield* database.keyed.read<OperationRow>(numberStatement, [tenant.organizationId, tenant.environment, pfrNumber])
        return Option.map(Option.fromNullishOr(row), decodeOperation)
      }, confirmed)
    })
  })
)
