import { exportProducts, productSheet } from "@overa/domain"
import { Effect } from "effect"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import type { PageFolder } from "../PageFolder.ts"
import { csvFile } from "../sheetReply.ts"
import { importRoutes } from "./importPages.ts"
import { listRoutes } from "./listPage.ts"
import { chosenActive } from "./ownTaxpayers.ts"
import { productRoutes } from "./productPages.ts"

const csv = Effect.fnUntraced(function*(visit: MemberVisit) {
  const taxpayerId = yield* chosenActive(visit, visit.params["taxpayer"] ?? "")
  const rows = productSheet(yield* exportProducts(visit.tenant, taxpayerId))
  // The import reads it back, byte-order mark included.
  return csvFile("products", rows)
})

/** The products of the organization's taxpayers. */
export const catalogue: PageFolder = {
  navigation: [{ path: "/catalogue", words: ["Каталог", "Catalogue"], shownTo: "catalogue:read" }],
  // The import first, because /catalogue/import is not the page of a product.
  routes: [...importRoutes, ...listRoutes, memberRoute("GET", "/catalogue/export/:taxpayer", "catalogue:read", csv), ...productRoutes]
}
