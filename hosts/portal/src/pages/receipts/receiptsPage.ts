import {
  cursorBinding,
  decodeJournalCursor,
  DocumentStatus,
  encodeJournalCursor,
  InvoiceType,
  type JournalFilter,
  JournalStore,
  type Operation,
  RecentDocuments,
  totalAmount,
  TransactionType
} from "@overa/domain"
import { Effect, Option } from "effect"
import { all, el, type Html } from "../../html/el.ts"
import { choice, type Faults, faultSummary, field } from "../../html/forms.ts"
import { table } from "../../html/parts.ts"
import { page, redirect } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { amount, moment } from "../../language/formats.ts"
import { premiseNames } from "../premiseNames.ts"
import { askedReceipts, type AskedReceipts, isSearching, readSearch, searchAddress } from "./askedReceipts.ts"
import { documentId } from "./documentId.ts"
import { invoiceTypeWords, kindWords, statusBadge, statusName, transactionTypeWords } from "./receiptWords.ts"

const perPage = 25

const row = (visit: MemberVisit, operation: Operation): ReadonlyArray<Html> => [
  moment(operation.createdAt),
  el("a", { href: `/receipts/${operation.id}` }, operation.answer?.pfr.invoiceNumber ?? visit.say("без броја", "no number")),
  kindWords(visit.say, operation),
  operation.content.clientReference,
  amount(totalAmount(operation.content.items)),
  statusBadge(visit.say, operation.status)
]

const search = Effect.fnUntraced(function*(visit: MemberVisit, asked: AskedReceipts, faults: Faults) {
  const { say } = visit
  const every: readonly [string, string] = ["", say("Све", "All")]
  const more = el(
    "div",
    { class: "filter" },
    choice({ name: "status", label: say("Стање", "Status"), value: asked.status, options: [every, ...DocumentStatus.literals.map((it) => [it, statusName(say, it)] as const)] }),
    choice({ name: "invoiceType", label: say("Врста", "Kind"), value: asked.invoiceType, options: [every, ...InvoiceType.literals.map((it) => [it, invoiceTypeWords(say, it)] as const)] }),
    choice({ name: "transactionType", label: say("Промет", "Transaction"), value: asked.transactionType, options: [every, ...TransactionType.literals.map((it) => [it, transactionTypeWords(say, it)] as const)] }),
    choice({ name: "premise", label: say("Пословни простор", "Premise"), value: asked.premise, options: [every, ...(yield* premiseNames(visit))] }),
    field({ name: "from", label: say("Од дана", "From day"), type: "date", value: asked.from, fault: faults["from"] }),
    field({ name: "to", label: say("До дана, укључено", "To day, included"), type: "date", value: asked.to, fault: faults["to"] })
  )
  const isNarrowed = isSearching({ ...asked, text: "" }) || Object.keys(faults).length > 0
  return el(
    "form",
    { method: "get", action: "/receipts", class: "card", role: "search" },
    field({
      name: "text",
      label: say("Тражи", "Search"),
      hint: say("Број рачуна или његов почетак, ознака, купац, касир или назив ставке; писмо и величина слова нису важни.", "The receipt's number or its beginning, a reference, buyer, cashier or item; script and case do not matter."),
      type: "search",
      value: asked.text,
      fault: faults["text"]
    }),
    el("details", { open: isNarrowed }, el("summary", {}, say("Још услова", "More conditions")), more),
    el("button", { type: "submit", class: "main" }, say("Нађи", "Find"))
  )
})

/** The receipt whose complete number or id was typed. */
const exactly = Effect.fnUntraced(function*(visit: MemberVisit, asked: AskedReceipts) {
  if (asked.text === "" || isSearching({ ...asked, text: "" })) return null
  const id = documentId(asked.text)
  if (id !== null) return id
  return Option.getOrNull(yield* (yield* RecentDocuments).withNumber(visit.tenant, asked.text))?.id ?? null
})

const listed = Effect.fnUntraced(function*(visit: MemberVisit, asked: AskedReceipts, filter: JournalFilter) {
  const { say } = visit
  const binding = cursorBinding(visit.tenant, filter)
  const cursor = Option.getOrNull(decodeJournalCursor(visit.query.get("after") ?? "", binding))
  const { items, nextCursor } = yield* (yield* JournalStore).page(visit.tenant, filter, { cursor, pageSize: perPage })
  const heads = [say("Време", "Time"), say("Број", "Number"), say("Врста", "Kind"), say("Ознака", "Reference"), say("Износ, RSD", "Amount, RSD"), say("Стање", "Status")]
  return all(
    table(heads, items.map((operation) => row(visit, operation)), {
      caption: say("Рачуни, најновији први", "Receipts, newest first"),
      empty: isSearching(asked)
        ? say("Нема таквог рачуна у овој организацији и окружењу.", "There is no such receipt in this organization and environment.")
        : say("Још нема рачуна. Продавница их издаје кроз АПИ; први се појављује овде чим стигне.", "There are no receipts yet. The shop issues them through the API; the first appears here as soon as it comes."),
      numbers: [4]
    }),
    el(
      "div",
      { class: "pages" },
      cursor === null ? el("span", {}) : el("a", { href: searchAddress("/receipts", asked) }, say("Најновији", "Newest")),
      nextCursor === null ? null : el("a", { href: searchAddress("/receipts", asked, { after: encodeJournalCursor(nextCursor, binding) }) }, say("Старији", "Older"))
    ),
    visit.may("reports:read")
      ? el(
        "p",
        { class: "actions" },
        el("a", { href: searchAddress("/receipts/export/xlsx", asked) }, say("Преузми све ове за Excel (XLSX)", "Download all of these for Excel (XLSX)")),
        el("a", { href: searchAddress("/receipts/export/csv", asked) }, say("Преузми као CSV", "Download as CSV"))
      )
      : null
  )
})

const show = Effect.fnUntraced(function*(visit: MemberVisit) {
  const asked = askedReceipts(visit)
  const found = yield* exactly(visit, asked)
  if (found !== null) return redirect(`/receipts/${found}`)
  const read = readSearch(visit, asked)
  const faults = "faults" in read ? read.faults : {}
  const title = visit.say("Рачуни", "Receipts")
  const content = all(
    el("h1", {}, title),
    faultSummary(visit, faults),
    yield* search(visit, asked, faults),
    "faults" in read ? null : yield* listed(visit, asked, read.filter)
  )
  return page(title, content, "faults" in read ? 422 : 200)
})

/** The list of receipts, searched with the journal's filter. */
export const listRoutes = [memberRoute("GET", "/receipts", "receipts:read", show)]
