import { Effect } from "effect"
import type { LineItem } from "../documents/LineItem.ts"
import { ProductReferences } from "../ports/ProductStore.ts"
import { faultAt, RequestFaults } from "../requests/Fault.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { TaxpayerId } from "../tenancy/identifiers.ts"

type Named = Pick<LineItem, "catalogProductId">

/**
 * Every product that a caller's lines name must be in the taxpayer's catalogue, active or not; it fills no field. Lines that name none cost nothing.
 * Source: Spec, LineItem; Decisions §5 (catalogProductId).
 */
export const checkProducts = (tenant: Tenant, taxpayerId: TaxpayerId, items: ReadonlyArray<Named>) =>
  items.every(({ catalogProductId }) => catalogProductId === null) ? Effect.void : askCatalogue(tenant, taxpayerId, items)

const askCatalogue = Effect.fnUntraced(function*(tenant: Tenant, taxpayerId: TaxpayerId, items: ReadonlyArray<Named>) {
  const references = yield* ProductReferences
  const ids = new Set(items.map(({ catalogProductId }) => catalogProductId).filter((id) => id !== null))
  const missing = new Set(yield* references.missing(tenant, taxpayerId, [...ids]))
  const faults = items.flatMap(({ catalogProductId }, index) =>
    catalogProductId !== null && missing.has(catalogProductId)
      ? [faultAt(["items", index, "catalogProductId"], "must be a product of this taxpayer's catalogue")]
      : [])
  if (faults.length > 0) return yield* new RequestFaults({ faults })
})
