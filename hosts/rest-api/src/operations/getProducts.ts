import { pageSizes, ProductId, ProductStore, TaxpayerId } from "@overa/domain"
import { Effect, Option } from "effect"
import { flag, integer, ref, text, uuid } from "@overa/host-kit/contract"
import { declareForTenant, type TenantCall } from "../http/Operation.ts"
import { TransportRefusal } from "@overa/host-kit"
import { productJson } from "../json/productJson.ts"
import { exampleProduct } from "./exampleProduct.ts"

const askedBy = ({ query }: TenantCall) => {
  const value = (name: string): string | null => query[name]?.[0] ?? null
  const taxpayerId = value("taxpayerId")?.toLowerCase()
  const cursor = value("cursor")?.toLowerCase()
  const isActive = value("isActive")
  return {
    filter: {
      taxpayerId: taxpayerId === undefined ? null : TaxpayerId.make(taxpayerId),
      search: value("search"),
      isActive: isActive === null ? null : isActive === "true"
    },
    cursor: cursor === undefined ? null : ProductId.make(cursor),
    pageSize: Number(value("pageSize") ?? pageSizes.usual)
  }
}

/** Source: Spec, Catalogue operations; Limits; Decisions §11. */
export const getProducts = declareForTenant({
  id: "listProducts",
  method: "GET",
  path: "/v1/products",
  tag: "Catalogue",
  summary: "List and search the products",
  description:
    "The products of the credential's environment, newest first. `search` looks for a text anywhere in name, sku and GTIN, whatever the letter case, script and diacritics: `secer` finds `Шећер`.",
  scope: "catalogue:read",
  premises: "everybody",
  idempotent: false,
  pathParameters: {},
  query: {
    taxpayerId: { description: "Only this taxpayer's.", schema: uuid("Only this taxpayer's."), required: false },
    search: { description: "A part of name, sku or GTIN.", schema: text("A part of name, sku or GTIN.", { minLength: 1, maxLength: 200 }), required: false },
    isActive: { description: "Only active or only inactive ones.", schema: flag("Only active or only inactive ones."), required: false },
    cursor: { description: "`nextCursor` of the previous page.", schema: uuid("`nextCursor` of the previous page."), required: false },
    pageSize: {
      description: "Products of one page, 50 if left out.",
      schema: integer("Products of one page, 50 if left out.", { minimum: pageSizes.least, maximum: pageSizes.most }),
      required: false
    }
  },
  queryFaults: "INVALID_QUERY",
  body: null,
  responses: {
    200: {
      description: "One page.",
      content: { "application/json": { schema: ref("ProductPage"), example: { items: [exampleProduct], nextCursor: null } } }
    }
  },
  errors: ["INVALID_QUERY"],
  handle: Effect.fnUntraced(function*(call) {
    const store = yield* ProductStore
    const { cursor, filter, pageSize } = askedBy(call)
    const page = yield* store.page(call.tenant, filter, cursor, pageSize)
    if (Option.isNone(page)) {
      return yield* Effect.fail(new TransportRefusal({ code: "INVALID_QUERY", message: "cursor must be the nextCursor of an earlier answer" }))
    }
    return { status: 200, json: { items: page.value.items.map(productJson), nextCursor: page.value.nextCursor } }
  })
})
