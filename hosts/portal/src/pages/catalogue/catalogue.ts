import { writeCsv } from "@overa/adapter-spreadsheets"
import { exportProducts, productSheet } from "@overa/domain"
import { Effect } from "effect"
import type { Reply } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import type { PageFolder } from "../PageFolder.ts"
import { importRoutes } from "./importPages.ts"
import { listRoutes } from "./listPage.ts"
import { chosenTaxpayer } from "./ownTaxpayers.ts"
import { productRoutes } from "./productPages.ts"

const csv = Effect.fnUntraced(function*(visit: MemberVisit) {
  const taxpayerId = yield* chosenTaxpayer(visit, visit.params["taxpayer"] ?? "")
  const rows = productSheet(yield* exportProducts(visit.tenant, taxpayerId))
  const reply: Reply = {
    _tag: "File",
    // With a byte-order mark, so that Excel reads the letters; the import takes it back.
    bytes: `\uFEFF${writeCsv(rows, { delimiter: ",", newline: "\r\n" })}`,
    mediaType: "text/csv; charset=utf-8",
    fileName: "products.csv",
    inline: false
  }
  return reply
})

/** The products of the organization's taxpayers. */
export const catalogue: PageFolder = {
  navigation: [{ path: "/catalogue", words: ["Каталог", "Catalogue"], shownTo: "catalogue:read" }],
  // The import first: /catalogue/import is no product's page.
  routes: [...importRoutes, ...listRoutes, memberRoute("GET", "/catalogue/export/:taxpayer", "catalogue:read", csv), ...productRoutes]
}
