import {
  CatalogueSkuAlreadyExists,
  planImport,
  type Product,
  type ProductContent,
  type ProductFilter,
  type ProductId,
  ProductNotFound,
  ProductReferences,
  ProductStore,
  type TaxpayerId,
  TaxpayerNotFound,
  type Tenant
} from "@overa/domain"
import { DateTime, Effect, Layer, Option } from "effect"
import { constraints } from "./constraints.ts"
import { PgDatabase, type PgStatements } from "./PgDatabase.ts"
import { PgFailure, toStoreUnavailable } from "./PgFailure.ts"
import { pageOf, pageRows } from "./products/productPages.ts"
import * as statements from "./products/productStatements.ts"
import { decodeContent, decodeProduct, type ProductContentRow, type ProductRow, productsJson } from "./rows/ProductRow.ts"

interface SkuRow {
  readonly sku: Product["sku"]
  readonly product_id: ProductId
}

const dateOf = (at: DateTime.Utc): Date => new Date(DateTime.toEpochMillis(at))

const isTaken = (failure: PgFailure): boolean => failure.constraint === constraints.sku

const takenBy = (sku: string, productId: string | null): CatalogueSkuAlreadyExists =>
  new CatalogueSkuAlreadyExists({ sku, productId, rows: [] })

const inScope = (tenant: Tenant, ...others: ReadonlyArray<unknown>) => [tenant.organizationId, tenant.environment, ...others]

/** Another writer took a sku of these in the meantime; nothing was stored. */
class SkuTaken {
  readonly _tag = "SkuTaken"
}

const make = Effect.gen(function*() {
  const database = yield* PgDatabase

  const holders = (tenant: Tenant, taxpayerId: TaxpayerId, skus: ReadonlyArray<string>) =>
    database.read<SkuRow>(statements.findSkus, inScope(tenant, taxpayerId, skus))

  const refuseForeign = Effect.fnUntraced(function*(tenant: Tenant, taxpayerId: TaxpayerId) {
    const found = yield* database.read(statements.findTaxpayer, inScope(tenant, taxpayerId))
    if (found.length === 0) return yield* new TaxpayerNotFound({ taxpayerId })
  })

  const insert = (tenant: Tenant, taxpayerId: TaxpayerId, created: Parameters<typeof productsJson>[1], at: DateTime.Utc) =>
    inScope(tenant, taxpayerId, productsJson(tenant, created), dateOf(at))

  const create = Effect.fn("ProductStore.create")(function*(tenant: Tenant, product: Product) {
    const { createdAt, id, taxpayerId } = product
    yield* refuseForeign(tenant, taxpayerId)
    yield* database.query(statements.insertProducts, insert(tenant, taxpayerId, [{ id, content: product }], createdAt)).pipe(
      Effect.catchIf(isTaken, () =>
        Effect.flatMap(holders(tenant, taxpayerId, [product.sku]), ([holder]) =>
          Effect.fail(takenBy(product.sku, holder?.product_id ?? null)))),
      Effect.catchTag("PgFailure", toStoreUnavailable)
    )
  })

  const replace = Effect.fn("ProductStore.replace")(function*(
    tenant: Tenant,
    id: ProductId,
    content: ProductContent,
    at: DateTime.Utc
  ) {
    const changed = database.query<ProductRow>(statements.updateProducts, inScope(tenant, productsJson(tenant, [{ id, content }]), dateOf(at)))
    const [row] = yield* changed.pipe(
      Effect.catchIf(isTaken, () =>
        Effect.flatMap(database.read<SkuRow>(statements.findHolder, inScope(tenant, id, content.sku)), ([holder]) =>
          Effect.fail(takenBy(content.sku, holder?.product_id ?? null)))),
      Effect.catchTag("PgFailure", toStoreUnavailable)
    )
    return row === undefined ? yield* new ProductNotFound({ productId: id }) : decodeProduct(row)
  })

  const importWithin = Effect.fnUntraced(function*(
    tx: PgStatements,
    tenant: Tenant,
    taxpayerId: TaxpayerId,
    products: ReadonlyArray<ProductContent>,
    ids: ReadonlyArray<ProductId>,
    at: DateTime.Utc
  ) {
    const locked = yield* tx.query(statements.lockTaxpayer, inScope(tenant, taxpayerId))
    if (locked.length === 0) return yield* new TaxpayerNotFound({ taxpayerId })
    const known = yield* tx.query<SkuRow>(statements.findSkus, inScope(tenant, taxpayerId, products.map(({ sku }) => sku)))
    const plan = planImport(known.map(({ product_id, sku }) => ({ id: product_id, sku })), products)
    const created = plan.created.map((content, index) => ({ id: ids[index] ?? "", content }))
    if (created.length > 0) {
      yield* tx.query(statements.insertProducts, insert(tenant, taxpayerId, created, at)).pipe(
        Effect.mapError((failure) => (isTaken(failure) ? new SkuTaken() : failure))
      )
    }
    if (plan.updated.length > 0) {
      yield* tx.query(statements.updateProducts, inScope(tenant, productsJson(tenant, plan.updated), dateOf(at)))
    }
    return { created: created.length, updated: plan.updated.length, total: plan.total }
  })

  const importAll = Effect.fn("ProductStore.importAll")(function*(
    tenant: Tenant,
    taxpayerId: TaxpayerId,
    products: ReadonlyArray<ProductContent>,
    ids: ReadonlyArray<ProductId>,
    at: DateTime.Utc
  ) {
    const before = new Set((yield* holders(tenant, taxpayerId, products.map(({ sku }) => sku))).map(({ sku }) => sku))
    return yield* database.transaction((tx) => importWithin(tx, tenant, taxpayerId, products, ids, at)).pipe(
      Effect.catchIf((error): error is SkuTaken => error instanceof SkuTaken, () =>
        Effect.flatMap(holders(tenant, taxpayerId, products.map(({ sku }) => sku)), (now) => {
          const taken = now.find(({ sku }) => !before.has(sku))
          return Effect.fail(takenBy(taken?.sku ?? products[0]?.sku ?? "", taken?.product_id ?? null))
        }))
    )
  })

  return ProductStore.of({
    create,
    replace,
    importAll,
    get: Effect.fn("ProductStore.get")(function*(tenant: Tenant, id: ProductId) {
      const [row] = yield* database.read<ProductRow>(statements.readProduct, inScope(tenant, id))
      return Option.map(Option.fromNullishOr(row), decodeProduct)
    }),
    page: Effect.fn("ProductStore.page")(function*(tenant: Tenant, filter: ProductFilter, cursor: ProductId | null, pageSize: number) {
      const rows = yield* pageRows(database, tenant, filter, cursor, pageSize)
      return Option.map(rows, (found) => pageOf(found.map(decodeProduct), pageSize))
    }),
    all: Effect.fn("ProductStore.all")(function*(tenant: Tenant, taxpayerId: TaxpayerId) {
      yield* refuseForeign(tenant, taxpayerId)
      const rows = yield* database.read<ProductContentRow>(statements.readAll, inScope(tenant, taxpayerId))
      return rows.map(decodeContent)
    })
  })
})

const makeReferences = Effect.map(PgDatabase, ({ keyed }) =>
  ProductReferences.of({
    missing: Effect.fn("ProductReferences.missing")(function*(tenant: Tenant, taxpayerId: TaxpayerId, ids: ReadonlyArray<string>) {
      const rows = yield* keyed.read<{ readonly id: string }>(statements.findMissing, inScope(tenant, taxpayerId, ids))
      return rows.map(({ id }) => id)
    })
  }))

/** The products of every tenant. */
export const layerProductStore: Layer.Layer<ProductStore | ProductReferences, never, PgDatabase> = Layer.merge(
  Layer.effect(ProductStore, make),
  Layer.effect(ProductReferences, makeReferences)
)
