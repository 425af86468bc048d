import { DocumentStatus, type FoundDocument, InvoiceType, type JournalFilter, RecentDocuments, TransactionType } from "@overa/domain"
import { Effect, Option } from "effect"
import { all, el, type Html } from "../../html/el.ts"
import { choice, type Faults, faultSummary, field } from "../../html/forms.ts"
import { table } from "../../html/parts.ts"
import { page, redirect } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { amount, moment } from "../../language/formats.ts"
import { doneNotice } from "../doneNotice.ts"
import { premiseNames } from "../premiseNames.ts"
import { askedOrder, askedReceipts, type AskedReceipts, isSearching, meantSearch, orderColumns, orderText, readSearch, searchAddress } from "./askedReceipts.ts"
import { documentId } from "./documentId.ts"
import { foundReceipts, type FoundReceipts } from "./foundReceipts.ts"
import { invoiceTypeWords, kindWords, statusBadge, statusName, transactionTypeWords } from "./receiptWords.ts"
import { savedSearches } from "./savedSearches.ts"
import { sumOfFoundTable } from "./sumOfFoundTable.ts"

const row = (visit: MemberVisit, document: FoundDocument): ReadonlyArray<Html> => [
  moment(document.createdAt),
  el("a", { href: `/receipts/${document.id}` }, document.pfrNumber ?? visit.say("без броја", "no number")),
  kindWords(visit.say, { content: document }),
  document.clientReference,
  amount(document.amount),
  statusBadge(visit.say, document.status)
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
    field({ name: "to", label: say("До дана, укључено", "To day, included"), type: "date", value: asked.to, fault: faults["to"] }),
    field({ name: "amountFrom", label: say("Износ од, RSD", "Amount from, RSD"), inputmode: "decimal", value: asked.amountFrom, fault: faults["amountFrom"] }),
    field({ name: "amountTo", label: say("Износ до, RSD", "Amount to, RSD"), inputmode: "decimal", value: asked.amountTo, fault: faults["amountTo"] })
  )
  const isNarrowed = isSearching({ ...asked, text: "" }) || Object.keys(faults).length > 0
  return el(
    "form",
    { method: "get", action: "/receipts", class: "card", role: "search" },
    field({
      name: "text",
      label: say("Тражи", "Search"),
      hint: say(
        "Било који део броја рачуна, износ (2.399,99), дан (31.1.2026.), ознака, купац, касир или ставка; писмо и величина слова нису важни.",
        "Any part of the receipt's number, an amount (2.399,99), a day (31.1.2026.), a reference, buyer, cashier or item; script and case do not matter."
      ),
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

/** Where the list is arranged by another column, or the other way round. */
const orderOf = (asked: AskedReceipts, { order, tooMany }: FoundReceipts) => {
  const shown = order ?? { by: "created" as const, descending: true }
  return {
    column: orderColumns.indexOf(shown.by),
    descending: shown.descending,
    addressOf: (column: number, descending: boolean): string | null => {
      const by = orderColumns[column]
      return by === undefined || tooMany ? null : searchAddress("/receipts", asked, { sort: orderText({ by, descending }) })
    }
  }
}

const pages = ({ say }: MemberVisit, asked: AskedReceipts, { isFirst, next, order }: FoundReceipts): Html => {
  const sorted = order === null ? {} : { sort: orderText(order) }
  return el(
    "div",
    { class: "pages" },
    isFirst ? el("span", {}) : el("a", { href: searchAddress("/receipts", asked, sorted) }, order === null ? say("Најновији", "Newest") : say("На почетак", "To the beginning")),
    next === null ? null : el("a", { href: searchAddress("/receipts", asked, { ...sorted, ...next }) }, order === null ? say("Старији", "Older") : say("Даље", "Next"))
  )
}

const files = ({ say }: MemberVisit, asked: AskedReceipts): Html =>
  el(
    "p",
    { class: "actions" },
    el("a", { href: searchAddress("/receipts/export/xlsx", asked) }, say("Преузми све ове за Excel (XLSX)", "Download all of these for Excel (XLSX)")),
    el("a", { href: searchAddress("/receipts/export/csv", asked) }, say("Преузми као CSV", "Download as CSV"))
  )

/** Where one amount is searched for, it may have been meant as a text. */
const asTextLink = ({ say }: MemberVisit, { amountFrom, amountTo }: AskedReceipts): Html =>
  amountFrom === "" || amountFrom !== amountTo ? null : el(
    "p",
    { class: "hint" },
    say("Тражи се износ ", "Searching for the amount "), amountFrom, ". ",
    el("a", { href: searchAddress("/receipts", { text: amountFrom }, { as: "text" }) }, say("Тражи исто као текст", "Search for the same as a text"))
  )

const listed = Effect.fnUntraced(function*(visit: MemberVisit, asked: AskedReceipts, filter: JournalFilter) {
  const { say } = visit
  const found = yield* foundReceipts(visit, filter, { isSearching: isSearching(asked), order: askedOrder(visit) })
  const heads = [say("Време", "Time"), say("Број", "Number"), say("Врста", "Kind"), say("Ознака", "Reference"), say("Износ, RSD", "Amount, RSD"), say("Стање", "Status")]
  return all(
    asTextLink(visit, asked),
    sumOfFoundTable(visit, found),
    table(heads, found.documents.map((document) => row(visit, document)), {
      caption: found.order === null ? say("Рачуни, најновији први", "Receipts, newest first") : say("Рачуни", "Receipts"),
      empty: isSearching(asked)
        ? say("Нема таквог рачуна у овој организацији и окружењу.", "There is no such receipt in this organization and environment.")
        : say("Још нема рачуна. Продавница их издаје кроз АПИ; први се појављује овде чим стигне.", "There are no receipts yet. The shop issues them through the API; the first appears here as soon as it comes."),
      numbers: [4],
      whole: [0, 1],
      order: orderOf(asked, found)
    }),
    pages(visit, asked, found),
    visit.may("reports:read") ? files(visit, asked) : null
  )
})

const show = Effect.fnUntraced(function*(visit: MemberVisit) {
  const asked = askedReceipts(visit)
  const found = yield* exactly(visit, asked)
  if (found !== null) return redirect(`/receipts/${found}`)
  const meant = meantSearch(visit, asked)
  if (meant !== null) return redirect(searchAddress("/receipts", meant))
  const read = readSearch(visit, asked)
  const faults = "faults" in read ? read.faults : {}
  const title = visit.say("Рачуни", "Receipts")
  const content = all(
    el("h1", {}, title),
    doneNotice(visit),
    faultSummary(visit, faults),
    "faults" in read ? null : yield* savedSearches(visit),
    yield* search(visit, asked, faults),
    "faults" in read ? null : yield* listed(visit, asked, read.filter)
  )
  return page(title, content, "faults" in read ? 422 : 200)
})

/** The list of receipts, searched with the journal's filter. */
export const listRoutes = [memberRoute("GET", "/receipts", "receipts:read", show)]
