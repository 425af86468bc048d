import { inThousands, JournalStore, mostTurnoverRows, turnoverCsv, TurnoverGrouping, type TurnoverQuery, turnoverSheet } from "@overa/domain"
import { DateTime, Effect, Stream } from "effect"
import { hasBars } from "../../html/barChart.ts"
import { all, el, type Html } from "../../html/el.ts"
import { choice, type Faults, faultSummary, field, tick } from "../../html/forms.ts"
import { card } from "../../html/parts.ts"
import { page } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"
import type { PageFolder } from "../PageFolder.ts"
import { firstRow } from "../firstRow.ts"
import { premiseNames } from "../premiseNames.ts"
import { csvFile, workbookReply } from "../sheetReply.ts"
import { askedReport, type AskedReport, readAsked, reportAddress } from "./askedReport.ts"
import { elsewhereColumn } from "./elsewhereColumn.ts"
import { columnTitle, groupingWords, type PremiseNames } from "./groupingWords.ts"
import { reportPicture } from "./reportPicture.ts"
import { mostRows, reportTable } from "./reportTable.ts"
import { sideSentence } from "./sideWords.ts"

const filter = (visit: MemberVisit, asked: AskedReport, premises: PremiseNames, faults: Faults): Html => {
  const { say } = visit
  return el(
    "form",
    { method: "get", action: "/reports", class: "card" },
    el(
      "div",
      { class: "filter" },
      field({ name: "from", label: say("Од дана", "From day"), type: "date", value: asked.from, fault: faults["from"] }),
      field({ name: "to", label: say("До дана, укључено", "To day, included"), type: "date", value: asked.to, fault: faults["to"] }),
      choice({ name: "premise", label: say("Пословни простор", "Premise"), value: asked.premise, options: [["", say("Сви", "All")], ...premises] })
    ),
    el(
      "fieldset",
      { class: "ticks" },
      el("legend", {}, say("Групиши по", "Group by")),
      TurnoverGrouping.literals.map((grouping) => tick({ name: "groupBy", value: grouping, label: groupingWords(say, grouping), checked: asked.groupBy.includes(grouping) }))
    ),
    el("button", { type: "submit", class: "main" }, say("Прикажи", "Show"))
  )
}

/** Links to the other pages of a long table; its total and its files have all rows. */
const pages = ({ say }: MemberVisit, asked: AskedReport, first: number, rows: number): Html => {
  if (rows <= mostRows) return null
  const to = (row: number, words: string): Html => el("a", { href: reportAddress("/reports", asked, row === 0 ? {} : { "from-row": String(row) }) }, words)
  return el(
    "div",
    { class: "pages" },
    first === 0 ? el("span", {}) : to(Math.max(0, first - mostRows), say("Назад", "Back")),
    el("span", {}, say(`Редови ${first + 1} до ${Math.min(rows, first + mostRows)} од ${rows}`, `Rows ${first + 1} to ${Math.min(rows, first + mostRows)} of ${rows}`)),
    first + mostRows >= rows ? el("span", {}) : to(first + mostRows, say("Даље", "Next"))
  )
}

const shown = Effect.fnUntraced(function*(visit: MemberVisit, asked: AskedReport, premises: PremiseNames, query: TurnoverQuery) {
  const { say } = visit
  const journal = yield* JournalStore
  const elsewhere = yield* elsewhereColumn(visit, query)
  const own = yield* journal.salesAndRefunds(visit.tenant, query)
  const rows = elsewhere?.withRows(own.rows) ?? own.rows
  const first = Math.max(0, Math.min(firstRow(visit), mostRows * Math.floor((rows.length - 1) / mostRows)))
  const ofPage = rows.slice(first, first + mostRows)
  return all(
    el("p", {}, sideSentence(say)),
    elsewhere === null ? null : el("p", {}, say("Што је издао други ЕСИР, у својој је колони и није у промету.", "What another ESIR has issued is in a column of its own and no part of the turnover.")),
    rows.length < 2 || !hasBars(rows.map(({ net }) => ({ value: net.gross }))) ? null : card(say("Слика", "Picture"), reportPicture(visit, { rows, shown: ofPage }, asked.groupBy, premises)),
    reportTable(visit, { rows: ofPage, whole: own.whole, asked, premises, elsewhere }),
    pages(visit, asked, first, rows.length),
    el("p", { class: "actions" }, el("a", { href: reportAddress("/reports/xlsx", asked) }, say("Преузми за Excel (XLSX)", "Download for Excel (XLSX)")), el("a", { href: reportAddress("/reports/csv", asked) }, say("Преузми као CSV", "Download as CSV")))
  )
})

const reportPage = (visit: MemberVisit, asked: AskedReport, premises: PremiseNames, { faults = {}, report = null }: { readonly faults?: Faults; readonly report?: Html }) => {
  const title = visit.say("Извештаји", "Reports")
  return page(title, all(el("h1", {}, title), faultSummary(visit, faults), filter(visit, asked, premises, faults), report), report === null ? 422 : 200)
}

/** The form again, where the report or its file would have too many rows. Nothing is cut off silently. */
const tooMany = Effect.fnUntraced(function*(visit: MemberVisit) {
  const { say } = visit
  const asked = askedReport(visit, yield* DateTime.now)
  const most = inThousands(String(mostTurnoverRows))
  const fault = say(
    `Извештај би имао више од ${most} редова. Скратите период, или означите мање тога по чему се групише.`,
    `The report would have more than ${most} rows. Choose fewer days, or group by less.`
  )
  return reportPage(visit, asked, yield* premiseNames(visit), { faults: { to: fault } })
})

const show = Effect.fnUntraced(function*(visit: MemberVisit) {
  const premises = yield* premiseNames(visit)
  const asked = askedReport(visit, yield* DateTime.now)
  const read = readAsked(visit, asked)
  if ("faults" in read) return reportPage(visit, asked, premises, { faults: read.faults })
  return reportPage(visit, asked, premises, { report: yield* shown(visit, asked, premises, read.query) })
}, (effect, visit) => Effect.catchTag(effect, "RequestFaults", () => tooMany(visit)))

const sheetOf = Effect.fnUntraced(function*(visit: MemberVisit) {
  const asked = askedReport(visit, yield* DateTime.now)
  const read = readAsked(visit, asked)
  if ("faults" in read) return yield* new NotFound({})
  const premises = yield* premiseNames(visit)
  const elsewhere = yield* elsewhereColumn(visit, read.query)
  const own = yield* (yield* JournalStore).salesAndRefunds(visit.tenant, read.query)
  const rows = elsewhere?.withRows(own.rows) ?? own.rows
  const sheet = turnoverSheet(rows, { groupBy: read.query.groupBy, premiseName: (id) => premises.get(id) ?? "", titleOf: columnTitle(visit.say) })
  if (elsewhere === null) return sheet
  return { titles: [...sheet.titles, elsewhere.title], rows: sheet.rows.map((cells, at) => [...cells, elsewhere.of(rows[at] ?? { group: {} })]) }
})

const csv = Effect.fnUntraced(function*(visit: MemberVisit) {
  return csvFile("turnover", turnoverCsv(yield* sheetOf(visit)))
}, (effect, visit) => Effect.catchTag(effect, "RequestFaults", () => tooMany(visit)))

const workbook = Effect.fnUntraced(function*(visit: MemberVisit) {
  const { rows, titles } = yield* sheetOf(visit)
  return yield* workbookReply("turnover", { sheetName: visit.say("Промет", "Turnover"), titles }, Stream.succeed(rows))
}, (effect, visit) => Effect.catchTag(effect, "RequestFaults", () => tooMany(visit)))

/** The turnover, by any possible grouping. */
export const reports: PageFolder = {
  navigation: [{ path: "/reports", words: ["Извештаји", "Reports"], shownTo: "reports:read" }],
  routes: [memberRoute("GET", "/reports", "reports:read", show), memberRoute("GET", "/reports/csv", "reports:read", csv), memberRoute("GET", "/reports/xlsx", "reports:read", workbook)]
}
