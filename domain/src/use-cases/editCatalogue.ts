import { DateTime, Effect } from "effect"
import type { Act } from "../activity/Activity.ts"
import { importChanges, seenBefore } from "../catalogue/planImport.ts"
import type { Product, ProductContent, ProductId } from "../catalogue/Product.ts"
import type { NewProduct } from "../catalogue/ProductRequest.ts"
import { readProductSheet } from "../catalogue/productSheet.ts"
import { CatalogueActs, ProductStore } from "../ports/ProductStore.ts"
import { Identifiers } from "../ports/TenancyDirectory.ts"
import type { Sheet } from "../spreadsheets/Sheet.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { TaxpayerId } from "../tenancy/identifiers.ts"

/** Creates a product for a person; it starts active. */
export const addProduct = Effect.fn("addProduct")(function*(act: Act, tenant: Tenant, { content, taxpayerId }: NewProduct) {
  const at = yield* DateTime.now
  const product: Product = { id: (yield* (yield* Identifiers).uuid) as ProductId, taxpayerId, ...content, createdAt: at, updatedAt: at }
  yield* (yield* CatalogueActs).create(act, tenant, product)
  return product
})

/** Replaces a product that the person saw in its state of `seenAt`; fails with `ProductChanged` if it has changed since. */
export const editProduct = Effect.fn("editProduct")(function*(
  act: Act,
  tenant: Tenant,
  id: ProductId,
  edit: { readonly content: ProductContent; readonly seenAt: Product["updatedAt"] }
) {
  yield* (yield* CatalogueActs).replace(act, tenant, id, { ...edit, at: yield* DateTime.now })
})

/** What importing a file would do, before anything is done. Fails as the import itself does on a file that cannot be imported. */
export const previewImport = Effect.fn("previewImport")(function*(tenant: Tenant, taxpayerId: TaxpayerId, sheet: Sheet) {
  const rows = (yield* Effect.fromResult(readProductSheet(sheet))).map(({ content }) => content)
  const catalogue = yield* (yield* ProductStore).all(tenant, taxpayerId)
  return { rows, changes: importChanges(catalogue, rows), seen: seenBefore(catalogue, rows) }
})

/** Imports a file whose preview a person has seen; fails with `ProductChanged` if the preview would now differ. */
export const importSeen = Effect.fn("importSeen")(function*(
  act: Act,
  tenant: Tenant,
  taxpayerId: TaxpayerId,
  file: { readonly sheet: Sheet; readonly isSeen: (seen: string) => boolean }
) {
  const identifiers = yield* Identifiers
  const products = (yield* Effect.fromResult(readProductSheet(file.sheet))).map(({ content }) => content)
  const ids = yield* Effect.forEach(products, () => Effect.map(identifiers.uuid, (id) => id as ProductId))
  return yield* (yield* CatalogueActs).importAll(act, tenant, taxpayerId, {
    products,
    ids,
    at: yield* DateTime.now,
    isSeen: (stored) => file.isSeen(seenBefore(stored, products))
  })
})
