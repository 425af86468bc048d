import { beginningsOfNumber, elsewhereBy, type ElsewhereFilter, ElsewhereReceipts, type StoredElsewhereReceipt } from "@overa/domain"
import { Effect } from "effect"
import { all, el, type Html } from "../../html/el.ts"
import { type Faults, faultStatus, faultSummary, field } from "../../html/forms.ts"
import { badge, card, table } from "../../html/parts.ts"
import { page } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { dayEnd, dayStart } from "../../language/belgradeDays.ts"
import { amount, moment, reportedTime } from "../../language/formats.ts"
import { kindWords } from "../receipts/receiptWords.ts"

const pageSize = 50

/** What marks a receipt of another ESIR wherever one is shown. */
export const elsewhereBadge = ({ say }: MemberVisit): Html => badge("plain", say("издао други ЕСИР", "issued elsewhere"))

/** How far its signature is proven. */
export const standingBadge = ({ say }: MemberVisit, standing: StoredElsewhereReceipt["receipt"]["standing"]): Html =>
  standing === "PROVEN" ? badge("good", say("потпис проверен", "signature proven")) : badge("wait", say("непроверен", "not proven"))

/** The address of a receipt's page. */
export const elsewhereAddress = ({ receipt, taxpayerId }: StoredElsewhereReceipt): string =>
  `/elsewhere/receipt?${new URLSearchParams({ taxpayer: taxpayerId, number: receipt.pfrNumber }).toString()}`

const asked = ({ query }: MemberVisit) => ({ number: (query.get("number") ?? "").trim(), from: query.get("from") ?? "", to: query.get("to") ?? "", after: query.get("after") })

const filterOf = (visit: MemberVisit): { readonly filter: ElsewhereFilter; readonly faults: Faults } => {
  const { from, number, to } = asked(visit)
  const [pfrFrom, pfrTo] = [dayStart(from), dayEnd(to)]
  const fault = visit.say("Унесите дан, нпр. 2026-01-31.", "Enter a day, 2026-01-31 for example.")
  return {
    // A text that begins no number finds nothing.
    filter: { taxpayerId: null, pfrFrom, pfrTo, pfrNumber: number === "" ? null : beginningsOfNumber(number).at(-1) ?? number },
    faults: { ...(from !== "" && pfrFrom === null ? { from: fault } : {}), ...(to !== "" && pfrTo === null ? { to: fault } : {}) }
  }
}

const search = (visit: MemberVisit, faults: Faults): Html => {
  const { say } = visit
  const { from, number, to } = asked(visit)
  return el(
    "form",
    { method: "get", action: "/elsewhere", class: "card filter", role: "search" },
    field({ name: "number", label: say("Почетак броја", "Beginning of the number"), type: "search", value: number }),
    field({ name: "from", label: say("Од дана", "From day"), type: "date", value: from, fault: faults["from"] }),
    field({ name: "to", label: say("До дана, укључено", "To day, included"), type: "date", value: to, fault: faults["to"] }),
    el("button", { type: "submit", class: "main" }, say("Нађи", "Find"))
  )
}

const row = (visit: MemberVisit) => (stored: StoredElsewhereReceipt): ReadonlyArray<Html> => {
  const { receipt } = stored
  return [
    moment(receipt.pfrTime),
    el("a", { href: elsewhereAddress(stored) }, receipt.pfrNumber),
    kindWords(visit.say, { content: receipt }),
    amount(receipt.totalAmount),
    all(elsewhereBadge(visit), " ", standingBadge(visit, receipt.standing))
  ]
}

const monthsTable = ({ say }: MemberVisit, months: ReturnType<typeof elsewhereBy>): Html =>
  table(
    [say("Месец", "Month"), say("Промет код другог ЕСИР-а, RSD", "Turnover elsewhere, RSD")],
    Array.from(months, ([month, sum]) => [reportedTime(month), amount(sum)]),
    { caption: say("Промет код другог ЕСИР-а по месецима", "Turnover elsewhere by month"), empty: say("Нема промета.", "There is no turnover."), numbers: [1] }
  )

const found = Effect.fnUntraced(function*(visit: MemberVisit, filter: ElsewhereFilter) {
  const { query, say } = visit
  const store = yield* ElsewhereReceipts
  const { items, next } = yield* store.page(visit.tenant, filter, asked(visit).after, pageSize)
  const months = elsewhereBy(yield* store.days(visit.tenant, filter), 7)
  const more = new URLSearchParams([...query].filter(([name]) => name !== "after"))
  if (next !== null) more.set("after", next)
  return all(
    table([say("ПФР време", "PFR time"), say("Број", "Number"), say("Врста", "Kind"), say("Износ, RSD", "Amount, RSD"), say("Ознака", "Mark")], items.map(row(visit)), {
      caption: say("Рачуни другог ЕСИР-а, најновији први", "Receipts of another ESIR, newest first"),
      empty: say("Нема таквог увезеног рачуна.", "There is no such imported receipt."),
      numbers: [3],
      whole: [0, 1]
    }),
    next === null ? null : el("p", { class: "actions" }, el("a", { href: `/elsewhere?${more.toString()}` }, say("Старији", "Older"))),
    card(say("По месецима", "By month"), monthsTable(visit, months))
  )
})

const show = Effect.fnUntraced(function*(visit: MemberVisit) {
  const { say } = visit
  const { faults, filter } = filterOf(visit)
  const title = say("Рачуни другог ЕСИР-а", "Receipts of another ESIR")
  return page(title, all(
    el("h1", {}, title),
    faultSummary(visit, faults),
    el("p", {}, say(
      "Ово је издао други ЕСИР. Овде се види и може се копирати; у промету, дневнику и бројачима ове услуге га нема.",
      "Another ESIR has issued this. It is shown here and may be copied; it is no part of this service's turnover, journal or counters."
    )),
    visit.may("receipts:issue") ? el("p", { class: "actions" }, el("a", { class: "button", href: "/elsewhere/import" }, say("Увези рачуне", "Import receipts"))) : null,
    search(visit, faults),
    Object.keys(faults).length > 0 ? null : yield* found(visit, filter)
  ), faultStatus(faults))
})

export const elsewhereListRoutes = [memberRoute("GET", "/elsewhere", "receipts:read", show)]
