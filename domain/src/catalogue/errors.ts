import { Schema } from "effect"

/**
 * The taxpayer already has a product of this sku, or one file names it twice. `productId` is the product that has it, null where none
 * has it yet; `rows` are the rows of the file that name it, absent outside of an import. Source: Spec, Errors, Catalogue; Decisions §11.
 */
export class CatalogueSkuAlreadyExists
  extends Schema.TaggedError<CatalogueSkuAlreadyExists>()("CatalogueSkuAlreadyExists", {
    sku: Schema.String,
    productId: Schema.NullOr(Schema.String),
    rows: Schema.optionalKey(Schema.Array(Schema.Int))
  })
{
  readonly code = "CATALOGUE_SKU_ALREADY_EXISTS"
}

/** The file has more rows than one import accepts; `limit` is the largest accepted number. Source: Spec, Limits. */
export class CatalogueImportTooManyRows
  extends Schema.TaggedError<CatalogueImportTooManyRows>()("CatalogueImportTooManyRows", { limit: Schema.Int })
{
  readonly code = "CATALOGUE_IMPORT_TOO_MANY_ROWS"
}

/** The file's first row is not the header of an export. Source: Spec, Errors, Catalogue. */
export class CatalogueImportHeadersInvalid
  extends Schema.TaggedError<CatalogueImportHeadersInvalid>()("CatalogueImportHeadersInvalid", {
    /** The header an import needs, in the order of an export. */
    expected: Schema.Array(Schema.String),
    missing: Schema.Array(Schema.String),
    /** Columns that are no field of a product. */
    unexpected: Schema.Array(Schema.String),
    repeated: Schema.Array(Schema.String)
  })
{
  readonly code = "CATALOGUE_IMPORT_HEADERS_INVALID"
}

/** No product of this id for the caller's organization and environment. Source: Decisions §1. */
export class ProductNotFound extends Schema.TaggedError<ProductNotFound>()("ProductNotFound", { productId: Schema.String }) {
  readonly code = "PRODUCT_NOT_FOUND"
}

/** The product was changed by somebody else after this person's page was loaded. Nothing was stored. */
export class ProductChanged extends Schema.TaggedError<ProductChanged>()("ProductChanged", {}) {}
