import {
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
import { PgDatabase } from "./PgDatabase.ts"
import { toStoreUnavailable } from "./PgFailure.ts"
import { pageOf, pageRows } from "./products/productPages.ts"
import { dateOf, importWithin, inScope, insertion, isTaken, type SkuRow, SkuTaken, takenBy } from "./products/productWrites.ts"
import * as statements from "./products/productStatements.ts"
import { decodeContent, decodeProduct, type ProductContentRow, type ProductRow, productsJson } from "./rows/ProductRow.ts"

const make = Effect.gen(function*() {
  const database = yield* PgDatabase

  const holders = (tenant: Tenant, taxpayerId: TaxpayerId, skus: ReadonlyArray<string>) =>
    database.read<SkuRow>(statements.findSkus, inScope(tenant, taxpayerId, skus))

  const refuseForeign = Effect.fnUntraced(function*(tenant: Tenant, taxpayerId: TaxpayerId) {
    const found = yield* database.read(statements.findTaxpayer, inScope(tenant, taxpayerId))
    if (found.length === 0) return yield* new TaxpayerNotFound({ taxpayerId })
  })

  const create = Effect.fn("ProductStore.create")(function*(tenant: Tenant, product: Product) {
    const { createdAt, id, taxpayerId } = product
    yield* refuseForeign(tenant, taxpayerId)
    yield* database.query(statements.insertProducts, insertion(tenant, taxpayerId, [{ id, content: product }], createdAt)).pipe(
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

  const importAll = Effect.fn("ProductStore.importAll")(function*(
    tenant: Tenant,
    taxpayerId: TaxpayerId,
    products: ReadonlyArray<ProductContent>,
    ids: ReadonlyArray<ProductId>,
    at: DateTime.Utc
  ) {
    const before = new Set((yield* holders(tenant, taxpayerId, products.map(({ sku }) => sku))).map(({ sku }) => sku))
    return yield* database.transaction((tx) => importWithin(tx, tenant, taxpayerId, { products, ids, at })).pipe(
      Effect.catchIf((error): error is SkuTaken => error instanceof SkuTaken, () =>
        Effect.flatMap(holders(tenant, taxpayerId, products.map(({ sku }) => sku)), (now) => {
          const taken = now.find(({ sku }) => !before.has(sku))
          return Effect.fail(takenBy(taken?.sku ?? products[0]?.sku ?? "", taken?.product_id ?? null))
        }))
    )
  }, database.inTurn)

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
    }, database.inTurn),
    all: Effect.fn("ProductStore.all")(function*(tenant: Tenant, taxpayerId: TaxpayerId) {
      yield* refuseForeign(tenant, taxpayerId)
      const rows = yield* database.read<ProductContentRow>(statements.readAll, inScope(tenant, taxpayerId))
      return rows.map(decodeContent)
    }, database.inTurn)
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
