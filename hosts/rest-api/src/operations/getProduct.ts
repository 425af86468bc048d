import { ProductId, ProductNotFound, readProduct } from "@overa/domain"
import { Effect } from "effect"
import { ref, uuid } from "@overa/host-kit/contract"
import { declareForTenant } from "../http/Operation.ts"
import { pathId } from "../http/pathId.ts"
import { productJson } from "../json/productJson.ts"
import { exampleProduct } from "./exampleProduct.ts"

/** Source: Spec, Catalogue operations. */
export const getProduct = declareForTenant({
  id: "readProduct",
  method: "GET",
  path: "/v1/products/{productId}",
  tag: "Catalogue",
  summary: "Read a product",
  description: "The product as it is now, active or not.",
  scope: "catalogue:read",
  premises: "everybody",
  idempotent: false,
  pathParameters: { productId: { description: "The product.", schema: uuid("The product.") } },
  query: {},
  body: null,
  responses: {
    200: { description: "The product.", content: { "application/json": { schema: ref("Product"), example: exampleProduct } } }
  },
  errors: ["PRODUCT_NOT_FOUND"],
  handle: Effect.fnUntraced(function*(call) {
    const productId = call.params["productId"] ?? ""
    const id = pathId(productId)
    if (id === null) return yield* new ProductNotFound({ productId })
    return { status: 200, json: productJson(yield* readProduct(call.tenant, ProductId.make(id))) }
  })
})
