import { includedDocumentsPerMonth } from "@overa/domain"
import { DateTime, Effect } from "effect"
import { hasBars, uprightBars } from "../../html/barChart.ts"
import { all, el, type Html } from "../../html/el.ts"
import { card, table } from "../../html/parts.ts"
import { page } from "../../http/Reply.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { amount, reportedTime, shortNumber } from "../../language/formats.ts"
import { sideTitles } from "../reports/sideWords.ts"
import { firstHourCard, remainingSteps } from "./firstHour.ts"
import { type Comparison, comparison, documentsThisMonth, type Figures } from "./figures.ts"
import { matters, mattersCard } from "./matters.ts"

const row = (name: string, { net, refundReceipts, refunds, saleReceipts, sales }: Figures): ReadonlyArray<Html> =>
  [name, String(saleReceipts), amount(sales), String(refundReceipts), amount(refunds), amount(net)]

const figuresTable = ({ say }: MemberVisit, { month, monthBefore, today, untilSameDay }: Comparison): Html =>
  table(
    [say("Време", "Time"), ...sideTitles(say)],
    [
      row(say("Данас", "Today"), today),
      row(say("Овај месец", "This month"), month),
      row(say("Прошли месец до истог дана", "Last month to the same day"), untilSameDay),
      row(say("Прошли месец", "Last month"), monthBefore)
    ],
    { caption: say("Промет", "Turnover"), empty: "–", numbers: [1, 2, 3, 4, 5] }
  )

const picture = (visit: MemberVisit, { days }: Comparison): Html => {
  const bars = days.map(({ day, net }) => ({ name: reportedTime(day).slice(0, 6), value: net, shown: `${amount(net)} RSD` }))
  if (!hasBars(bars)) return el("p", { class: "empty" }, visit.say("Прошлог и овог месеца још нема промета.", "There is no turnover last month or this yet."))
  return uprightBars({
    label: visit.say("Нето промет по данима, прошли и овај месец; бројеви су у извештају по данима", "Net turnover by day, last month and this; the report by day has the numbers"),
    bars,
    short: (value) => shortNumber(visit.language, value)
  })
}

/** How many of the receipts that the licence includes were issued this month (Spec, Limits). */
const used = Effect.fnUntraced(function*(visit: MemberVisit, now: DateTime.Utc) {
  if (visit.environment !== "production") return null
  const documents = yield* documentsThisMonth(visit, now)
  return el("p", {}, visit.say("Докумената овог месеца: ", "Documents this month: "), el("strong", {}, `${documents} / ${includedDocumentsPerMonth}`), " ", visit.say("укључених", "included"))
})

/** The organization's figures, and what needs a person. */
export const overviewPage = Effect.fnUntraced(function*(visit: MemberVisit) {
  const { say } = visit
  const now = yield* DateTime.now
  const [compared, waiting, documents, steps] = yield* Effect.all([comparison(visit, now), matters(visit, now), used(visit, now), remainingSteps(visit)], { concurrency: "unbounded" })
  const title = say("Преглед", "Overview")
  return page(title, all(
    el("h1", {}, title),
    firstHourCard(visit, steps),
    mattersCard(visit, waiting),
    figuresTable(visit, compared),
    documents,
    card(say("По данима", "By day"), picture(visit, compared), el("p", {}, el("a", { href: "/reports" }, say("Извештаји", "Reports"))))
  ))
})
