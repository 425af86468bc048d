import { Result, Schema } from "effect"
import type { Dinars } from "../money/Dinars.ts"
import { requestDecoder } from "../requests/decodeRequest.ts"
import type { RequestFaults } from "../requests/Fault.ts"
import { uuidField } from "../requests/fields.ts"
import type { TaxpayerId } from "../tenancy/identifiers.ts"
import { type ProductContent, productFields } from "./Product.ts"

/** The body of `POST /v1/products`. Source: Spec, Catalogue operations. */
export const NewProductShape = Schema.Struct({
  taxpayerId: uuidField.annotate({ description: "The taxpayer of the product; never changes." }),
  ...productFields
}).annotate({ identifier: "NewProduct", description: "A product to be made; it starts active." })

/** The body of `PUT /v1/products/{productId}`: every field but the taxpayer, which never changes. Source: Spec, Catalogue operations. */
export const ProductReplacementShape = Schema.Struct({
  ...productFields,
  isActive: Schema.Boolean.annotate({ description: "An inactive product stays in the catalogue and on its receipts." })
}).annotate({ identifier: "ProductReplacement", description: "Every editable field of a product." })

/** A product to be made; it starts active. */
export interface NewProduct {
  readonly taxpayerId: TaxpayerId
  readonly content: ProductContent
}

const decodeNew = requestDecoder(NewProductShape)
const decodeReplacement = requestDecoder(ProductReplacementShape)

const toContent = (
  body: Omit<typeof ProductReplacementShape.Type, "isActive">,
  isActive: boolean
): ProductContent => ({
  sku: body.sku,
  gtin: body.gtin ?? null,
  name: body.name,
  unitOfMeasure: body.unitOfMeasure,
  // The shape has already checked the bounds of `Dinars`.
  grossUnitPrice: body.grossUnitPrice as Dinars,
  taxLabels: body.taxLabels,
  isActive
})

export const decodeNewProduct = (body: unknown): Result.Result<NewProduct, RequestFaults> =>
  Result.map(decodeNew(body), (request) => ({
    taxpayerId: request.taxpayerId.toLowerCase() as TaxpayerId,
    content: toContent(request, true)
  }))

export const decodeProductReplacement = (body: unknown): Result.Result<ProductContent, RequestFaults> =>
  Result.map(decodeReplacement(body), (request) => toContent(request, request.isActive))
