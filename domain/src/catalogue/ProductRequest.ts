import { Result, Schema } from "effect"
import type { Dinars } from "../money/Dinars.ts"
import { textMember } from "../requests/bodyTree.ts"
import { requestDecoder } from "../requests/decodeRequest.ts"
import { type Fault, faultAt, type RequestFaults } from "../requests/Fault.ts"
import { optional, uuidField } from "../requests/fields.ts"
import { requestTimeField } from "../requests/RequestTime.ts"
import type { TaxpayerId } from "../tenancy/identifiers.ts"
import { type Product, type ProductContent, productFields } from "./Product.ts"

/** The body of `POST /v1/products`. Source: Spec, Catalogue operations. */
export const NewProductShape = Schema.Struct({
  taxpayerId: uuidField.annotate({ description: "The taxpayer of the product; never changes." }),
  ...productFields
}).annotate({ identifier: "NewProduct", description: "A product to be made; it starts active." })

/** What a product is read with and nobody changes: a product may be sent back as it was read (docs/adr/0213). */
const asReadFields = {
  id: optional(uuidField.annotate({ description: "As read; must be the product's." })),
  taxpayerId: optional(uuidField.annotate({ description: "As read; must be the product's, which never changes." })),
  createdAt: optional(requestTimeField.annotate({ description: "As read; changes nothing." })),
  updatedAt: optional(requestTimeField.annotate({ description: "As read; changes nothing." }))
}

/** The body of `PUT /v1/products/{productId}`: every field but the taxpayer, which never changes. Source: Spec, Catalogue operations. */
export const ProductReplacementShape = Schema.Struct({
  ...productFields,
  isActive: Schema.Boolean.annotate({ description: "An inactive product stays in the catalogue and on its receipts." }),
  ...asReadFields
}).annotate({ identifier: "ProductReplacement", description: "Every editable field of a product." })

/** A product to be made; it starts active. */
export interface NewProduct {
  readonly taxpayerId: TaxpayerId
  readonly content: ProductContent
}

const decodeNew = requestDecoder(NewProductShape)
const decodeReplacement = requestDecoder(ProductReplacementShape)

const toContent = (
  body: Omit<typeof NewProductShape.Type, "taxpayerId">,
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

/** The faults of a replacement that names another product or taxpayer than the one it replaces; neither ever changes. */
export const otherProductFaults = (body: unknown, product: Pick<Product, "id" | "taxpayerId">): ReadonlyArray<Fault> => {
  const differs = (name: "id" | "taxpayerId") => (textMember(body, name) ?? product[name]).toLowerCase() !== product[name]
  return [
    ...(differs("id") ? [faultAt(["id"], "must be the id of the product in the path")] : []),
    ...(differs("taxpayerId") ? [faultAt(["taxpayerId"], "must be the product's taxpayer, which never changes")] : [])
  ]
}
