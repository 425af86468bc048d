import {
  type Act,
  CatalogueActs,
  type Product,
  ProductChanged,
  type ProductContent,
  productColumns,
  ProductNotFound,
  type TaxpayerId,
  TaxpayerNotFound,
  type Tenant,
  toCells
} from "@overa/domain"
import { DateTime, Effect, Layer } from "effect"
import { recordActivity } from "../administration/activity.ts"
import { PgDatabase, type PgStatements } from "../PgDatabase.ts"
import { decodeContent, decodeProduct, type ProductContentRow, type ProductRow, productsJson } from "../rows/ProductRow.ts"
import * as statements from "./productStatements.ts"
import { dateOf, importWithin, inScope, insertion, isTaken, type SkuRow, SkuTaken, takenBy } from "./productWrites.ts"

/** A product as the activity log shows it. */
const told = (content: ProductContent): Readonly<Record<string, string>> => {
  const cells = toCells(content)
  return Object.fromEntries(productColumns.map((column, at) => [column, cells[at] ?? ""]))
}

const createWithin = Effect.fnUntraced(function*(tx: PgStatements, act: Act, tenant: Tenant, product: Product) {
  const { createdAt, id, taxpayerId } = product
  const found = yield* tx.query(statements.findTaxpayer, inScope(tenant, taxpayerId))
  if (found.length === 0) return yield* new TaxpayerNotFound({ taxpayerId })
  yield* tx.query(statements.insertProducts, insertion(tenant, taxpayerId, [{ id, content: product }], createdAt)).pipe(
    Effect.mapError((failure) => isTaken(failure) ? takenBy(product.sku, null) : failure)
  )
  yield* recordActivity(tx, act, { organizationId: tenant.organizationId, act: "product added", subject: id, before: null, after: told(product) })
})

const replaceWithin = Effect.fnUntraced(function*(
  tx: PgStatements,
  act: Act,
  tenant: Tenant,
  id: Product["id"],
  { at, content, seenAt }: Parameters<CatalogueActs["Service"]["replace"]>[3]
) {
  const [row] = yield* tx.query<ProductRow>(`${statements.readProduct} for update`, inScope(tenant, id))
  if (row === undefined) return yield* new ProductNotFound({ productId: id })
  const before = decodeProduct(row)
  if (DateTime.toEpochMillis(before.updatedAt) !== DateTime.toEpochMillis(seenAt)) return yield* new ProductChanged({})
  yield* tx.query(statements.updateProducts, inScope(tenant, productsJson(tenant, [{ id, content }]), dateOf(at))).pipe(
    Effect.mapError((failure) => isTaken(failure) ? takenBy(content.sku, null) : failure)
  )
  yield* recordActivity(tx, act, { organizationId: tenant.organizationId, act: "product changed", subject: id, before: told(before), after: told(content) })
})

/** The stored products with SKUs of a file, locked until the transaction ends. */
const storedOf = Effect.fnUntraced(function*(tx: PgStatements, tenant: Tenant, taxpayerId: TaxpayerId, skus: ReadonlyArray<string>) {
  yield* tx.query(statements.lockTaxpayer, inScope(tenant, taxpayerId))
  const rows = yield* tx.query<ProductContentRow>(`${statements.readAll} and p.sku = any ($4::text[]) for update`, inScope(tenant, taxpayerId, skus))
  return rows.map(decodeContent)
})

const make = Effect.gen(function*() {
  const database = yield* PgDatabase

  /** The refusal names the product that has the SKU, read outside the transaction that failed. */
  const namingHolder = (tenant: Tenant, taxpayerId: TaxpayerId, sku: string) =>
    Effect.map(database.read<SkuRow>(statements.findSkus, inScope(tenant, taxpayerId, [sku])), ([holder]) => takenBy(sku, holder?.product_id ?? null))

  const importAll: CatalogueActs["Service"]["importAll"] = Effect.fn("CatalogueActs.importAll")(function*(act, tenant, taxpayerId, { isSeen, ...file }) {
    const work = Effect.fnUntraced(function*(tx: PgStatements) {
      if (!isSeen(yield* storedOf(tx, tenant, taxpayerId, file.products.map(({ sku }) => sku)))) return yield* new ProductChanged({})
      const result = yield* importWithin(tx, tenant, taxpayerId, file)
      yield* recordActivity(tx, act, { organizationId: tenant.organizationId, act: "products imported", subject: taxpayerId, before: null, after: result })
      return result
    })
    return yield* database.transaction(work).pipe(
      // Since the preview, a product with a SKU of the file was created.
      Effect.catchIf((error): error is SkuTaken => error instanceof SkuTaken, () => new ProductChanged({}))
    )
  })

  return CatalogueActs.of({
    create: Effect.fn("CatalogueActs.create")(function*(act, tenant, product) {
      yield* database.transaction((tx) => createWithin(tx, act, tenant, product)).pipe(
        Effect.catchTag("CatalogueSkuAlreadyExists", ({ sku }) => Effect.flatMap(namingHolder(tenant, product.taxpayerId, sku), Effect.fail))
      )
    }),
    replace: Effect.fn("CatalogueActs.replace")(function*(act, tenant, id, replacement) {
      yield* database.transaction((tx) => replaceWithin(tx, act, tenant, id, replacement)).pipe(
        Effect.catchTag("CatalogueSkuAlreadyExists", ({ sku }) =>
          Effect.flatMap(database.read<SkuRow>(statements.findHolder, inScope(tenant, id, sku)), ([holder]) =>
            Effect.fail(takenBy(sku, holder?.product_id ?? null))))
      )
    }),
    importAll
  })
})

/** Changes of the catalogue by people. */
export const layerCatalogueActs: Layer.Layer<CatalogueActs, never, PgDatabase> = Layer.effect(CatalogueActs, make)
