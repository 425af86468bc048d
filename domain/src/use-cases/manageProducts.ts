import { DateTime, Effect, Option } from "effect"
import { ProductNotFound } from "../catalogue/errors.ts"
import type { Product, ProductContent, ProductId } from "../catalogue/Product.ts"
import { type NewProduct, otherProductFaults } from "../catalogue/ProductRequest.ts"
import { RequestFaults } from "../requests/Fault.ts"
import { Identifiers } from "../ports/TenancyDirectory.ts"
import { ProductStore } from "../ports/ProductStore.ts"
import type { Tenant } from "../tenancy/Caller.ts"

/** Creates a product; it starts active. Source: Spec, Catalogue operations. */
export const createProduct = Effect.fn("createProduct")(function*(tenant: Tenant, { content, taxpayerId }: NewProduct) {
  const store = yield* ProductStore
  const identifiers = yield* Identifiers
  const at = yield* DateTime.now
  const product: Product = { id: (yield* identifiers.uuid) as ProductId, taxpayerId, ...content, createdAt: at, updatedAt: at }
  yield* store.create(tenant, product)
  return product
})

/** A product of the tenant; another tenant's is answered as not found (Decisions §7). */
export const readProduct = Effect.fn("readProduct")(function*(tenant: Tenant, id: ProductId) {
  const store = yield* ProductStore
  const found = yield* store.get(tenant, id)
  return Option.isSome(found) ? found.value : yield* new ProductNotFound({ productId: id })
})

/**
 * Replaces every editable field. Receipts keep their own copy of what they sold. A body that names another product or another taxpayer is refused.
 * Source: Spec, Catalogue operations.
 *
 * @param body The request as it was written.
 */
export const replaceProduct = Effect.fn("replaceProduct")(function*(tenant: Tenant, id: ProductId, content: ProductContent, body: unknown) {
  const store = yield* ProductStore
  const faults = otherProductFaults(body, yield* readProduct(tenant, id))
  if (faults.length > 0) return yield* new RequestFaults({ faults })
  return yield* store.replace(tenant, id, content, yield* DateTime.now)
})
