import { FiscalDocumentId, type Operation, RecentDocuments, totalAmount } from "@overa/domain"
import { Effect, Option } from "effect"
import { all, el, type Html } from "../../html/el.ts"
import { field } from "../../html/forms.ts"
import { table } from "../../html/parts.ts"
import { page, redirect } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { amount, moment } from "../../language/formats.ts"
import { kindWords, statusBadge } from "./receiptWords.ts"

const perPage = 25

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** An identifier from an address; null when it is none. */
export const documentId = (text: string | null | undefined): FiscalDocumentId | null =>
  text !== null && text !== undefined && uuid.test(text.toLowerCase()) ? FiscalDocumentId.make(text.toLowerCase()) : null

const row = (visit: MemberVisit, operation: Operation): ReadonlyArray<Html> => [
  moment(operation.createdAt),
  el("a", { href: `/receipts/${operation.id}` }, operation.answer?.pfr.invoiceNumber ?? visit.say("без броја", "no number")),
  kindWords(visit.say, operation),
  operation.content.clientReference,
  amount(totalAmount(operation.content.items)),
  statusBadge(visit.say, operation.status)
]

const search = (visit: MemberVisit, sought: string, found: boolean): Html =>
  el(
    "form",
    { method: "get", action: "/receipts", class: "filter", role: "search" },
    field({
      name: "number",
      label: visit.say("Број рачуна (ПФР) или ознака документа", "PFR number or document id"),
      type: "search",
      value: sought,
      fault: found ? undefined : visit.say("Нема рачуна са тим бројем у овој организацији и окружењу.", "There is no such receipt in this organization and environment.")
    }),
    el("button", { type: "submit", class: "main" }, visit.say("Нађи", "Find"))
  )

const soughtReceipt = Effect.fnUntraced(function*(visit: MemberVisit, sought: string) {
  const id = documentId(sought)
  if (id !== null) return id
  return Option.getOrNull(yield* (yield* RecentDocuments).withNumber(visit.tenant, sought))?.id ?? null
})

const show = Effect.fnUntraced(function*(visit: MemberVisit) {
  const { say } = visit
  const sought = (visit.query.get("number") ?? "").trim()
  const found = sought === "" ? null : yield* soughtReceipt(visit, sought)
  if (found !== null) return redirect(`/receipts/${found}`)
  const documents = yield* (yield* RecentDocuments).page(visit.tenant, documentId(visit.query.get("before")), perPage + 1)
  const shown = documents.slice(0, perPage)
  const title = say("Рачуни", "Receipts")
  const heads = [say("Време", "Time"), say("Број", "Number"), say("Врста", "Kind"), say("Ознака", "Reference"), say("Износ, RSD", "Amount, RSD"), say("Стање", "Status")]
  const content = all(
    el("h1", {}, title),
    search(visit, sought, sought === ""),
    table(heads, shown.map((operation) => row(visit, operation)), {
      caption: say("Рачуни, најновији први", "Receipts, newest first"),
      empty: say(
        "Још нема рачуна. Продавница их издаје кроз АПИ; први се појављује овде чим стигне.",
        "There are no receipts yet. The shop issues them through the API; the first appears here as soon as it comes."
      ),
      numbers: [4]
    }),
    el(
      "div",
      { class: "pages" },
      visit.query.has("before") ? el("a", { href: "/receipts" }, say("Најновији", "Newest")) : el("span", {}),
      documents.length > perPage ? el("a", { href: `/receipts?before=${shown.at(-1)?.id ?? ""}` }, say("Старији", "Older")) : null
    )
  )
  return page(title, content)
})

/** The list of receipts. */
export const listRoutes = [memberRoute("GET", "/receipts", "receipts:read", show)]
