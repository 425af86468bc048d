import { writeCsv } from "@overa/adapter-spreadsheets"
import { exportProducts, productSheet, TaxpayerId } from "@overa/domain"
import { Effect } from "effect"
import { Readable } from "node:stream"
import { uuid } from "@overa/host-kit/contract"
import { declareForTenant } from "../http/Operation.ts"
import { exampleProductFile } from "./exampleProduct.ts"

const rowsAtOnce = 1_000

function* inPieces(rows: ReturnType<typeof productSheet>) {
  for (let at = 0; at < rows.length; at += rowsAtOnce) yield writeCsv(rows.slice(at, at + rowsAtOnce), { delimiter: ",", newline: "\n" })
}

/** Source: Spec, Catalogue operations. */
export const getProductExport = declareForTenant({
  id: "exportProducts",
  method: "GET",
  path: "/v1/products/export",
  tag: "Catalogue",
  summary: "Export products as a file",
  description:
    "All products of a taxpayer as CSV in UTF-8, ordered by sku, decimals with a point: the template for an import, which reads it back unchanged. A text that begins like a formula has an apostrophe before it.",
  scope: "catalogue:read",
  premises: "everybody",
  idempotent: false,
  pathParameters: {},
  query: { taxpayerId: { description: "The taxpayer of the products.", schema: uuid("The taxpayer of the products."), required: true } },
  body: null,
  responses: {
    200: { description: "The file.", content: { "text/csv": { schema: { type: "string" }, example: exampleProductFile } } }
  },
  errors: ["TAXPAYER_NOT_FOUND"],
  handle: Effect.fnUntraced(function*(call) {
    const taxpayerId = TaxpayerId.make((call.query["taxpayerId"]?.[0] ?? "").toLowerCase())
    const rows = productSheet(yield* exportProducts(call.tenant, taxpayerId))
    return {
      status: 200,
      headers: { "Content-Disposition": "attachment; filename=\"products.csv\"" },
      bytes: Readable.from(inPieces(rows)),
      mediaType: "text/csv; charset=utf-8"
    }
  })
})
