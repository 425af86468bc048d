import { writeBook } from "@overa/adapter-spreadsheets"
import { anyTime, JournalStore, MonthBookRenderer, mostBookDocuments, readMonthBook, type RenderingUnavailable } from "@overa/domain"
import { DateTime, Effect } from "effect"
import { all, el, type Html } from "../../html/el.ts"
import { choice, type Faults, faultStatus, faultSummary } from "../../html/forms.ts"
import { card, notice, table } from "../../html/parts.ts"
import { page, type Reply } from "../../http/Reply.ts"
import { memberRoute } from "../../http/Route.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { NotFound } from "../../http/visitOf.ts"
import { type Language, languages, languageNames, isLanguage, speaker } from "../../language/Language.ts"
import { amount, reportedTime } from "../../language/formats.ts"
import { doneNotice } from "../doneNotice.ts"
import type { PageFolder } from "../PageFolder.ts"
import { premiseNames } from "../premiseNames.ts"
import { sideTitles } from "../reports/sideWords.ts"
import { semicolonCsv, sentWorkbook } from "../sheetReply.ts"
import { type AskedMonth, askedMonth, monthAddress, monthFileName, monthsBefore } from "./askedMonth.ts"
import { serbianCsv } from "./monthCsv.ts"
import { monthMailCard } from "./monthMail.ts"
import { switchOff, switchOn, visitOfPage } from "./monthMailActs.ts"
import { listSheet, monthSheets, turnoverOf } from "./monthSheets.ts"

const files = (visit: MemberVisit, asked: AskedMonth): Html => {
  const { say } = visit
  return card(
    say("Месец за књиговођу", "The month for the bookkeeper"),
    el("p", {}, say(
      "Једна Excel датотека: промет по стопама са основицом и порезом, плаћања, списак чији је прост збир месец, отворени аванси, ПОПДВ, КИР и КПО; копије, предрачуни, обука и одбијени на својим листовима.",
      "One Excel file: turnover by rate with base and tax, payments, a list whose plain sum is the month, open advances, POPDV, KIR and KPO; copies, proformas, training and rejected documents on sheets of their own."
    )),
    el("p", { class: "actions" },
      languages.map((language, at) => el("a", { class: at === 0 ? "button main" : "button", href: monthAddress("/books/xlsx", asked, { headings: language }) }, `Excel (XLSX), ${languageNames[language]}`)),
      el("a", { class: "button", href: monthAddress("/books/csv", asked) }, say("Списак као CSV", "The list as CSV")),
      el("a", { class: "button", href: monthAddress("/books/pdf", asked) }, say("PDF за потпис", "PDF to sign")))
  )
}

const chooser = (visit: MemberVisit, { month, taxpayer, taxpayers }: AskedMonth, now: DateTime.Utc): Html => {
  const { say } = visit
  const months = [...new Set([month, ...monthsBefore(now)])].toSorted().toReversed()
  return el(
    "form",
    { method: "get", action: "/books", class: "card filter" },
    choice({ name: "taxpayer", label: say("Обвезник", "Taxpayer"), value: taxpayer.id, options: taxpayers.map((it) => [it.id, `${it.name} (${it.taxIdentifier})`] as const) }),
    choice({ name: "month", label: say("Месец", "Month"), value: month, options: months.map((it) => [it, reportedTime(it)] as const) }),
    el("button", { type: "submit", class: "second" }, say("Прикажи", "Show"))
  )
}

const premisesTable = Effect.fnUntraced(function*(visit: MemberVisit, { range, taxpayer }: AskedMonth) {
  const { say } = visit
  const query = { taxpayerId: taxpayer.id, businessPremiseId: null, pfr: range, created: anyTime }
  const journal = yield* JournalStore
  const names = yield* premiseNames(visit)
  const { rows, whole } = yield* journal.salesAndRefunds(visit.tenant, { ...query, groupBy: ["premise"] })
  const cells = ({ net, refunds, sales }: typeof rows[number]): ReadonlyArray<string> => [String(sales.receipts), amount(sales.gross), String(refunds.receipts), amount(refunds.gross), amount(net.gross)]
  return table(
    [say("Пословни простор", "Premise"), ...sideTitles(say)],
    rows.map((row) => [names.get(row.group.premise ?? "") ?? row.group.premise ?? "", ...cells(row)]),
    {
      caption: say("Промет по просторима", "Turnover by premise"),
      empty: say("У овом месецу нема промета.", "There is no turnover in this month."),
      numbers: [1, 2, 3, 4, 5],
      ...(whole === null ? {} : { total: [say("Укупно", "Total"), ...cells(whole)] })
    }
  )
})

const show = Effect.fnUntraced(function*(visit: MemberVisit, faults: Faults = {}) {
  const { say } = visit
  const title = say("Књиговодство", "Books")
  const asked = yield* askedMonth(visit)
  if (asked === null) return page(title, [el("h1", {}, title), el("p", { class: "empty" }, say("Нема обвезника у овом окружењу.", "There is no taxpayer in this environment."))])
  return page(title, all(
    el("h1", {}, `${title}: ${reportedTime(asked.month)}`),
    doneNotice(visit),
    faultSummary(visit, faults),
    chooser(visit, asked, yield* DateTime.now),
    yield* premisesTable(visit, asked),
    files(visit, asked),
    yield* monthMailCard(visit, asked, faults)
  ), faultStatus(faults))
})

/** Nothing is cut off silently. */
const tooMany = (visit: MemberVisit): Reply => {
  const { say } = visit
  const title = say("Превише рачуна за једну књигу", "Too many receipts for one book")
  return page(title, [
    el("h1", {}, title),
    notice("wait", el("p", {}, say(`Једна књига има највише ${mostBookDocuments} докумената. За већи месец користите извештаје и извоз рачуна.`, `One book has at most ${mostBookDocuments} documents. For a larger month use the reports and the export of receipts.`))),
    el("p", {}, el("a", { href: "/reports" }, say("Извештаји", "Reports")))
  ], 422)
}

type Asked = AskedMonth & { readonly book: Effect.Success<ReturnType<typeof readMonthBook>>; readonly premiseName: (id: string) => string }

const withBook = (reply: (visit: MemberVisit, asked: Asked) => Effect.Effect<Reply, RenderingUnavailable, MonthBookRenderer>) =>
  Effect.fnUntraced(function*(visit: MemberVisit) {
    const asked = yield* askedMonth(visit)
    if (asked === null) return yield* new NotFound({})
    const names = yield* premiseNames(visit)
    const book = yield* readMonthBook(visit.tenant, asked.taxpayer.id, asked.range)
    return yield* reply(visit, { ...asked, book, premiseName: (id) => names.get(id) ?? id })
  }, (effect, visit) => Effect.catchTag(effect, "MonthTooLarge", () => Effect.succeed(tooMany(visit))))

/** The language that the file was asked for in, else the page's. */
const languageOf = (visit: MemberVisit): Language => {
  const language = visit.query.get("headings") ?? ""
  return isLanguage(language) ? language : visit.language
}

const headings = (visit: MemberVisit) => speaker(languageOf(visit))

const workbook = withBook((visit, { book, premiseName, ...asked }) =>
  sentWorkbook(monthFileName(asked), writeBook(monthSheets({ say: headings(visit), premiseName }, book))))

const csv = withBook((visit, { book, premiseName, ...asked }) =>
  Effect.succeed(semicolonCsv(monthFileName(asked), serbianCsv(listSheet({ say: headings(visit), premiseName }, turnoverOf(book))))))

const pdf = withBook(Effect.fnUntraced(function*(visit: MemberVisit, { book, premiseName, ...asked }: Asked) {
  const bytes = yield* (yield* MonthBookRenderer).pdf({ taxpayer: asked.taxpayer, month: asked.month, book, premiseName }, languageOf(visit))
  const reply: Reply = { _tag: "File", bytes, mediaType: "application/pdf", fileName: `${monthFileName(asked)}.pdf`, inline: false }
  return reply
}))

const switchOnOrShow = Effect.fnUntraced(function*(visit: MemberVisit) {
  const reply = yield* switchOn(visit)
  return reply ?? (yield* show(visitOfPage(visit), { "xlsx-yes": visit.say("Означите бар једну датотеку.", "Mark at least one file.") }))
})

/** What a bookkeeper takes from a month. */
export const books: PageFolder = {
  navigation: [{ path: "/books", words: ["Књиговодство", "Books"], shownTo: "reports:read" }],
  routes: [
    memberRoute("GET", "/books", "reports:read", (visit) => show(visit)),
    memberRoute("POST", "/books/mail", "reports:read", switchOnOrShow),
    memberRoute("POST", "/books/mail/off", "reports:read", switchOff),
    memberRoute("GET", "/books/xlsx", "reports:read", workbook),
    memberRoute("GET", "/books/csv", "reports:read", csv),
    memberRoute("GET", "/books/pdf", "reports:read", pdf)
  ]
}
