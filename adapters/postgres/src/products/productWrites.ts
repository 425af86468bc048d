import {
  CatalogueSkuAlreadyExists,
  planImport,
  type Product,
  type ProductContent,
  type ProductId,
  type TaxpayerId,
  TaxpayerNotFound,
  type Tenant
} from "@overa/domain"
import { DateTime, Effect } from "effect"
import { constraints } from "../constraints.ts"
import type { PgStatements } from "../PgDatabase.ts"
import type { PgFailure } from "../PgFailure.ts"
import { productsJson } from "../rows/ProductRow.ts"
import * as statements from "./productStatements.ts"

export interface SkuRow {
  readonly sku: Product["sku"]
  readonly product_id: ProductId
}

export const dateOf = (at: DateTime.Utc): Date => new Date(DateTime.toEpochMillis(at))

export const isTaken = (failure: PgFailure): boolean => failure.constraint === constraints.sku

export const takenBy = (sku: string, productId: string | null): CatalogueSkuAlreadyExists =>
  new CatalogueSkuAlreadyExists({ sku, productId })

export const inScope = (tenant: Tenant, ...others: ReadonlyArray<unknown>) => [tenant.organizationId, tenant.environment, ...others]

/** Another writer took one of these SKUs meanwhile; nothing was stored. */
export class SkuTaken {
  readonly _tag = "SkuTaken"
}

/** The parameters of `insertProducts`. */
export const insertion = (tenant: Tenant, taxpayerId: TaxpayerId, created: Parameters<typeof productsJson>[1], at: DateTime.Utc) =>
  inScope(tenant, taxpayerId, productsJson(tenant, created), dateOf(at))

/** A file to import. */
export interface ImportedFile {
  readonly products: ReadonlyArray<ProductContent>
  readonly ids: ReadonlyArray<ProductId>
  readonly at: DateTime.Utc
}

/** Creates and replaces the products of a file in the given transaction; other imports for this taxpayer wait until it ends. */
export const importWithin = Effect.fnUntraced(function*(tx: PgStatements, tenant: Tenant, taxpayerId: TaxpayerId, { at, ids, products }: ImportedFile) {
  const locked = yield* tx.query(statements.lockTaxpayer, inScope(tenant, taxpayerId))
  if (locked.length === 0) return yield* new TaxpayerNotFound({ taxpayerId })
  const known = yield* tx.query<SkuRow>(statements.findSkus, inScope(tenant, taxpayerId, products.map(({ sku }) => sku)))
  const plan = planImport(known.map(({ product_id, sku }) => ({ id: product_id, sku })), products)
  const created = plan.created.map((content, index) => ({ id: ids[index] ?? "", content }))
  if (created.length > 0) {
    yield* tx.query(statements.insertProducts, insertion(tenant, taxpayerId, created, at)).pipe(
      Effect.mapError((failure) => (isTaken(failure) ? new SkuTaken() : failure))
    )
  }
  if (plan.updated.length > 0) {
    yield* tx.query(statements.updateProducts, inScope(tenant, productsJson(tenant, plan.updated), dateOf(at)))
  }
  return { created: created.length, updated: plan.updated.length, total: plan.total }
})
