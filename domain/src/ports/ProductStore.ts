import { Context, type Effect, type Option } from "effect"
import type { Act } from "../activity/Activity.ts"
import type { Product, ProductContent, ProductId } from "../catalogue/Product.ts"
import type { CatalogueSkuAlreadyExists, ProductChanged, ProductNotFound } from "../catalogue/errors.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { TaxpayerNotFound } from "../tenancy/errors.ts"
import type { TaxpayerId } from "../tenancy/identifiers.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** The filter of a product list. A null field filters nothing; a product must match all other fields. Source: Spec, GET /v1/products. */
export interface ProductFilter {
  readonly taxpayerId: TaxpayerId | null
  /** As defined by `matchesSearch`. */
  readonly search: string | null
  readonly isActive: boolean | null
}

/** One page, newest first: by `createdAt`, then `id`, descending. `nextCursor` is null at the end. */
export interface ProductPage {
  readonly items: ReadonlyArray<Product>
  readonly nextCursor: ProductId | null
}

/** How many products an import created and replaced. Source: Spec, Resources, ProductImportResult. */
export interface ProductImportResult {
  readonly created: number
  readonly updated: number
  readonly total: number
}

/** The products of a tenant's taxpayers; another tenant's product or taxpayer is answered as not found (Decisions §7). Products are never deleted. */
export class ProductStore extends Context.Service<ProductStore, {
  /** Fails when the taxpayer is another tenant's or inactive, or already has a product of this SKU. */
  readonly create: (
    tenant: Tenant,
    product: Product
  ) => Effect.Effect<void, TaxpayerNotFound | CatalogueSkuAlreadyExists | StoreUnavailable>
  /** Replaces everything but the taxpayer and the time of creation. */
  readonly replace: (
    tenant: Tenant,
    id: ProductId,
    content: ProductContent,
    at: Product["updatedAt"]
  ) => Effect.Effect<Product, ProductNotFound | CatalogueSkuAlreadyExists | StoreUnavailable>
  readonly get: (tenant: Tenant, id: ProductId) => Effect.Effect<Option.Option<Product>, StoreUnavailable>
  /** The page behind a cursor, which is the id of the last product seen; none when the tenant has no such product. */
  readonly page: (
    tenant: Tenant,
    filter: ProductFilter,
    cursor: ProductId | null,
    pageSize: number
  ) => Effect.Effect<Option.Option<ProductPage>, StoreUnavailable>
  /**
   * Creates a product for every new SKU and replaces the product of every known one, all in one commit. Imports of one taxpayer run one after
   * another. `ids` has an id for each product that may have to be created. Fails with the SKU that another writer took meanwhile.
   */
  readonly importAll: (
    tenant: Tenant,
    taxpayerId: TaxpayerId,
    products: ReadonlyArray<ProductContent>,
    ids: ReadonlyArray<ProductId>,
    at: Product["updatedAt"]
  ) => Effect.Effect<ProductImportResult, TaxpayerNotFound | CatalogueSkuAlreadyExists | StoreUnavailable>
  /** All products of a taxpayer as of one moment, in any order. */
  readonly all: (
    tenant: Tenant,
    taxpayerId: TaxpayerId
  ) => Effect.Effect<ReadonlyArray<ProductContent>, TaxpayerNotFound | StoreUnavailable>
}>()("@overa/domain/ports/ProductStore") {}

/** What issuing a document reads from the catalogue. */
export class ProductReferences extends Context.Service<ProductReferences, {
  /** The given ids that are no product of the taxpayer. */
  readonly missing: (
    tenant: Tenant,
    taxpayerId: TaxpayerId,
    ids: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
}>()("@overa/domain/ports/ProductReferences") {}

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
