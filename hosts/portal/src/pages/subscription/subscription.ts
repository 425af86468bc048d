import { Effect } from "effect"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"
import { invoiceFile, invoiceOf } from "../billing/invoiceParts.ts"
import type { PageFolder } from "../PageFolder.ts"
import { showSubscription } from "./subscriptionPage.ts"

/** The organization's own invoice; an invoice of another organization is not found. */
const download = Effect.fnUntraced(function*(visit: MemberVisit) {
  const found = yield* invoiceOf(visit)
  if (found.invoice.organizationId !== visit.organizationId) return yield* new NotFound({})
  return yield* invoiceFile(visit, found)
})

/** The licence, its use, the prices and the invoices. */
export const subscription: PageFolder = {
  navigation: [{ path: "/subscription", words: ["Претплата", "Subscription"], shownTo: "subscription:read" }],
  routes: [
    memberRoute("GET", "/subscription", "subscription:read", showSubscription),
    memberRoute("GET", "/subscription/invoices/:number", "subscription:read", download)
  ]
}
