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
 * Changes of the catalogue by a person: what `ProductStore` does, in one commit with its line in the activity log, and refused where the
 * person has seen something older than what is stored, so that two people do not overwrite each other (Decisions §13).
 */
export class CatalogueActs extends Context.Service<CatalogueActs, {
  readonly create: (
    act: Act,
    tenant: Tenant,
    product: Product
  ) => Effect.Effect<void, TaxpayerNotFound | CatalogueSkuAlreadyExists | StoreUnavailable>
  /** Replaces everything but the taxpayer and the time of creation, if the product is still as `seenAt` says. */
  readonly replace: (
    act: Act,
    tenant: Tenant,
    id: ProductId,
    replacement: { readonly content: ProductContent; readonly at: Product["updatedAt"]; readonly seenAt: Product["updatedAt"] }
  ) => Effect.Effect<void, ProductNotFound | ProductChanged | CatalogueSkuAlreadyExists | StoreUnavailable>
  /** As `ProductStore.importAll`, if the products of the file's skus are still as `isSeen` wants them. */
  readonly importAll: (
    act: Act,
    tenant: Tenant,
    taxpayerId: TaxpayerId,
    file: {
      readonly products: ReadonlyArray<ProductContent>
      /** One for each product that may have to be made. */
      readonly ids: ReadonlyArray<ProductId>
      readonly at: Product["updatedAt"]
      /** Asked about the products of the file's skus, under the lock that keeps other imports out. */
      readonly isSeen: (stored: ReadonlyArray<ProductContent>) => boolean
    }
  ) => Effect.Effect<ProductImportResult, TaxpayerNotFound | ProductChanged | CatalogueSkuAlreadyExists | StoreUnavailable>
}>()("@overa/domain/ports/CatalogueActs") {}
