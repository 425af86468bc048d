import { createProduct, decodeNewProduct, NewProductShape } from "@overa/domain"
import { Effect } from "effect"
import { jsonBody } from "../contract/jsonBody.ts"
import { ref } from "@overa/host-kit/contract"
import { declareForTenant } from "../http/Operation.ts"
import { productJson } from "../json/productJson.ts"
import { exampleNewProduct, exampleProduct } from "./exampleProduct.ts"

/** Source: Spec, Catalogue operations. */
export const postProducts = declareForTenant({
  id: "createProduct",
  method: "POST",
  path: "/v1/products",
  tag: "Catalogue",
  summary: "Make a product",
  description: "Adds a product to a taxpayer's catalogue. It starts active. Name it on receipt lines by `catalogProductId`; it never fills a field of a line.",
  scope: "catalogue:write",
  premises: "everybody",
  idempotent: false,
  pathParameters: {},
  query: {},
  body: jsonBody(NewProductShape, "The product.", exampleNewProduct),
  responses: {
    201: {
      description: "The product is in the catalogue.",
      content: { "application/json": { schema: ref("Product"), example: exampleProduct } },
      headers: ["Location"]
    }
  },
  errors: ["TAXPAYER_NOT_FOUND", "CATALOGUE_SKU_ALREADY_EXISTS"],
  handle: Effect.fnUntraced(function*(call) {
    const product = yield* createProduct(call.tenant, yield* Effect.fromResult(decodeNewProduct(call.body?.tree)))
    return { status: 201, headers: { Location: `/v1/products/${product.id}` }, json: productJson(product) }
  })
})
