import { memberRoute } from "../../http/Route.ts"
import { draftRoutes } from "../drafts/draftPages.ts"
import { advanceDocumentRoutes } from "../issue/issuePages.ts"
import type { PageFolder } from "../PageFolder.ts"
import { cancellation } from "./cancellation.ts"
import { showCase } from "./casePage.ts"
import { showCases } from "./listPage.ts"

/** Advances: the list, one advance, and its further documents by hand. */
export const advances: PageFolder = {
  navigation: [{ path: "/advances", words: ["Аванси", "Advances"], shownTo: "receipts:read" }],
  routes: [
    memberRoute("GET", "/advances", "receipts:read", showCases),
    memberRoute("GET", "/advances/:case", "receipts:read", showCase),
    ...advanceDocumentRoutes,
    ...draftRoutes(cancellation)
  ]
}
