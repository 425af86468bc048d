import { Context, type Effect, type Option } from "effect"
import type { CatalogueSkuAlreadyExists, ProductNotFound } from "../catalogue/errors.ts"
import type { Product, ProductContent, ProductId } from "../catalogue/Product.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { TaxpayerNotFound } from "../tenancy/errors.ts"
import type { TaxpayerId } from "../tenancy/identifiers.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** What a product list asks for; null asks for nothing. Everything asked for must hold. Source: Spec, GET /v1/products. */
export interface ProductFilter {
  readonly taxpayerId: TaxpayerId | null
  /** As `matchesSearch` means it. */
  readonly search: string | null
  readonly isActive: boolean | null
}

/** One page, newest first: by `createdAt`, then `id`, descending. `nextCursor` is null at the end. */
export interface ProductPage {
  readonly items: ReadonlyArray<Product>
  readonly nextCursor: ProductId | null
}

/** How many products an import made and replaced. Source: Spec, Resources, ProductImportResult. */
export interface ProductImportResult {
  readonly created: number
  readonly updated: number
  readonly total: number
}

/**
 * The products of a tenant's taxpayers; another tenant's product or taxpayer is simply not there (Decisions §7). Nothing is ever
 * deleted, so a product found once is there for good.
 */
export class ProductStore extends Context.Service<ProductStore, {
  /** Fails when the taxpayer is not the tenant's or is inactive, or has a product of this sku. */
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
   * Makes a product of every new sku and replaces the product of every known one, all in one commit. Imports of one taxpayer run one
   * after another. `ids` has an id for each product that may have to be made. Fails with the sku that another writer took meanwhile.
   */
  readonly importAll: (
    tenant: Tenant,
    taxpayerId: TaxpayerId,
    products: ReadonlyArray<ProductContent>,
    ids: ReadonlyArray<ProductId>,
    at: Product["updatedAt"]
  ) => Effect.Effect<ProductImportResult, TaxpayerNotFound | CatalogueSkuAlreadyExists | StoreUnavailable>
  /** All products of a taxpayer as they are at one moment, in any order. */
  readonly all: (
    tenant: Tenant,
    taxpayerId: TaxpayerId
  ) => Effect.Effect<ReadonlyArray<ProductContent>, TaxpayerNotFound | StoreUnavailable>
}>()("@overa/domain/ports/ProductStore") {}

/** What issuing asks of the catalogue. */
export class ProductReferences extends Context.Service<ProductReferences, {
  /** Those of some ids that are no product of the taxpayer. */
  readonly missing: (
    tenant: Tenant,
    taxpayerId: TaxpayerId,
    ids: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
}>()("@overa/domain/ports/ProductReferences") {}
