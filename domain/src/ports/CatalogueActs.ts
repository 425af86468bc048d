import { Context, type Effect } from "effect"
import type { Act } from "../activity/Activity.ts"
import type { CatalogueSkuAlreadyExists, ProductChanged, ProductNotFound } from "../catalogue/errors.ts"
import type { Product, ProductContent, ProductId } from "../catalogue/Product.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { TaxpayerNotFound } from "../tenancy/errors.ts"
import type { TaxpayerId } from "../tenancy/identifiers.ts"
import type { ProductImportResult } from "./ProductStore.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/**
 * Changes of the catalogue by a person: what `ProductStore` does, in one commit with its line in the activity log. A change is refused when the
 * stored state is newer than what the person saw, so that two people do not overwrite each other (Decisions §13).
 */
export class CatalogueActs extends Context.Service<CatalogueActs, {
  readonly create: (
    act: Act,
    tenant: Tenant,
    product: Product
  ) => Effect.Effect<void, TaxpayerNotFound | CatalogueSkuAlreadyExists | StoreUnavailable>
  /** Replaces everything but the taxpayer and the time of creation, if the product is unchanged since `seenAt`. */
  readonly replace: (
    act: Act,
    tenant: Tenant,
    id: ProductId,
    replacement: { readonly content: ProductContent; readonly at: Product["updatedAt"]; readonly seenAt: Product["updatedAt"] }
  ) => Effect.Effect<void, ProductNotFound | ProductChanged | CatalogueSkuAlreadyExists | StoreUnavailable>
  /** As `ProductStore.importAll`, if `isSeen` accepts the stored products that have SKUs of the file. */
  readonly importAll: (
    act: Act,
    tenant: Tenant,
    taxpayerId: TaxpayerId,
    file: {
      readonly products: ReadonlyArray<ProductContent>
      /** One id for each product that may have to be created. */
      readonly ids: ReadonlyArray<ProductId>
      readonly at: Product["updatedAt"]
      /** Called with the products that have SKUs of the file, under the lock that serializes imports. */
      readonly isSeen: (stored: ReadonlyArray<ProductContent>) => boolean
    }
  ) => Effect.Effect<ProductImportResult, TaxpayerNotFound | ProductChanged | CatalogueSkuAlreadyExists | StoreUnavailable>
}>()("@overa/domain/ports/CatalogueActs") {}
