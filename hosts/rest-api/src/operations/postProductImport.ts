import { readCsv } from "@overa/adapter-spreadsheets"
import { importProducts, mostImportRows, TaxpayerId } from "@overa/domain"
import { Effect } from "effect"
import { ref, uuid } from "@overa/host-kit/contract"
import { bodyBytes, declareForTenant } from "../http/Operation.ts"
import { exampleProductFile } from "./exampleProduct.ts"

/** Source: Spec, Catalogue operations; Limits; Decisions §11. */
export const postProductImport = declareForTenant({
  id: "importProducts",
  method: "POST",
  path: "/v1/products/import",
  tag: "Catalogue",
  summary: "Import products from a file",
  description:
    "Takes a CSV file with the columns of an export, all or nothing: every row makes a product or replaces the one of its sku; products the file does not name stay as they are. Commas, semicolons or tabs, a byte-order mark, a `sep=` line and decimal commas are accepted; labels are separated by `|`. The faults of a file name the row as a spreadsheet shows it, the column, and the cell's content.",
  scope: "catalogue:write",
  premises: "everybody",
  idempotent: false,
  pathParameters: {},
  query: { taxpayerId: { description: "The taxpayer of the products.", schema: uuid("The taxpayer of the products."), required: true } },
  body: {
    mediaType: "text/csv",
    shape: null,
    schema: { type: "string", description: `UTF-8, at most ${mostImportRows} products and ${bodyBytes["text/csv"] / 1_000_000} MB.` },
    description: "The file.",
    example: exampleProductFile
  },
  responses: {
    200: {
      description: "Every row is imported.",
      content: { "application/json": { schema: ref("ProductImportResult"), example: { created: 1, updated: 1, total: 2 } } }
    }
  },
  errors: ["TAXPAYER_NOT_FOUND", "CATALOGUE_SKU_ALREADY_EXISTS", "CATALOGUE_IMPORT_TOO_MANY_ROWS", "CATALOGUE_IMPORT_HEADERS_INVALID"],
  handle: Effect.fnUntraced(function*(call) {
    const taxpayerId = TaxpayerId.make((call.query["taxpayerId"]?.[0] ?? "").toLowerCase())
    // The header, and one product more than may be imported.
    const sheet = yield* Effect.promise(() => readCsv(call.body?.text ?? "", mostImportRows + 2))
    return { status: 200, json: yield* importProducts(call.tenant, taxpayerId, sheet) }
  })
})
