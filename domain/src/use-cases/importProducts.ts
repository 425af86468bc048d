import { DateTime, Effect } from "effect"
import { CatalogueSkuAlreadyExists } from "../catalogue/errors.ts"
import type { ProductId } from "../catalogue/Product.ts"
import { readProductSheet } from "../catalogue/productSheet.ts"
import { Identifiers } from "../ports/TenancyDirectory.ts"
import { ProductStore } from "../ports/ProductStore.ts"
import type { Sheet } from "../spreadsheets/Sheet.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { TaxpayerId } from "../tenancy/identifiers.ts"

/**
 * Imports the products of a file, all or nothing: every row creates a product or replaces the one of its SKU; products that the file does not name
 * are unchanged. Source: Spec, Catalogue operations; Decisions §11.
 */
export const importProducts = Effect.fn("importProducts")(function*(tenant: Tenant, taxpayerId: TaxpayerId, sheet: Sheet) {
  const store = yield* ProductStore
  const identifiers = yield* Identifiers
  const products = yield* Effect.fromResult(readProductSheet(sheet))
  const ids = yield* Effect.forEach(products, () => Effect.map(identifiers.uuid, (id) => id as ProductId))
  const contents = products.map(({ content }) => content)
  return yield* store.importAll(tenant, taxpayerId, contents, ids, yield* DateTime.now).pipe(
    // The store's error names SKUs; the author of the file needs rows.
    Effect.mapError((error) =>
      error._tag === "CatalogueSkuAlreadyExists"
        ? new CatalogueSkuAlreadyExists({
          sku: error.sku,
          productId: error.productId,
          rows: products.filter(({ content }) => content.sku === error.sku).map(({ row }) => row)
        })
        : error)
  )
})

/** A taxpayer's whole catalogue as rows that an import reads back unchanged. Source: Spec, Catalogue operations. */
export const exportProducts = Effect.fn("exportProducts")(function*(tenant: Tenant, taxpayerId: TaxpayerId) {
  const store = yield* ProductStore
  return yield* store.all(tenant, taxpayerId)
})
