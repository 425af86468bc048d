import { decodeProductReplacement, ProductId, ProductNotFound, ProductReplacementShape, replaceProduct } from "@overa/domain"
import { Effect } from "effect"
import { jsonBody } from "../contract/jsonBody.ts"
import { ref, uuid } from "@overa/host-kit/contract"
import { declareForTenant } from "../http/Operation.ts"
import { pathId } from "../http/pathId.ts"
import { productJson } from "../json/productJson.ts"
import { exampleProduct, exampleReplacement } from "./exampleProduct.ts"

/** Source: Spec, Catalogue operations. */
export const putProduct = declareForTenant({
  id: "replaceProduct",
  method: "PUT",
  path: "/v1/products/{productId}",
  tag: "Catalogue",
  summary: "Replace a product",
  description: "Replaces every field but the taxpayer. A product may be sent back as it was read: `id` and `taxpayerId` must then be its own, `createdAt` and `updatedAt` change nothing. `isActive: false` takes the product out of use; receipts that named it stay as they are.",
  scope: "catalogue:write",
  premises: "everybody",
  idempotent: false,
  pathParameters: { productId: { description: "The product.", schema: uuid("The product.") } },
  query: {},
  body: jsonBody(ProductReplacementShape, "The whole product.", exampleReplacement),
  responses: {
    200: {
      description: "The product as it is now.",
      content: { "application/json": { schema: ref("Product"), example: { ...exampleProduct, ...exampleReplacement } } }
    }
  },
  errors: ["PRODUCT_NOT_FOUND", "CATALOGUE_SKU_ALREADY_EXISTS"],
  handle: Effect.fnUntraced(function*(call) {
    const content = yield* Effect.fromResult(decodeProductReplacement(call.body?.tree))
    const productId = call.params["productId"] ?? ""
    const id = pathId(productId)
    if (id === null) return yield* new ProductNotFound({ productId })
    return { status: 200, json: productJson(yield* replaceProduct(call.tenant, ProductId.make(id), content, call.body?.tree)) }
  })
})
