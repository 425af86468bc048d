import { BigDecimal } from "effect"
import type { SalesAndRefunds, TurnoverGrouping } from "@overa/domain"
import { type Bar, lyingBars, uprightBars } from "../../html/barChart.ts"
import { all, el, type Html } from "../../html/el.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { amount, shortNumber } from "../../language/formats.ts"
import { groupTexts, type PremiseNames } from "./groupingWords.ts"

const mostLying = 12

const isOverTime = (groupBy: ReadonlyArray<TurnoverGrouping>): boolean => groupBy.length === 1 && (groupBy[0] === "day" || groupBy[0] === "month")

const bySize = (one: Bar, other: Bar): number => BigDecimal.Order(BigDecimal.abs(other.value), BigDecimal.abs(one.value))

/** A chart: vertical bars for the times on this page of the table, horizontal ones for the largest of all names. */
export const reportPicture = (visit: MemberVisit, report: { readonly rows: ReadonlyArray<SalesAndRefunds>; readonly shown: ReadonlyArray<SalesAndRefunds> }, groupBy: ReadonlyArray<TurnoverGrouping>, premises: PremiseNames): Html => {
  const { say } = visit
  if (report.rows.length < 2) return null
  const drawn = isOverTime(groupBy) ? report.shown : report.rows
  const bars = drawn.map((row): Bar => ({
    name: groupTexts(say, row, groupBy, premises).join(" · "),
    value: row.net.gross,
    shown: `${amount(row.net.gross)} RSD`
  }))
  const label = say("Нето промет; исти бројеви су у табели", "Net turnover; the table has the same numbers")
  if (isOverTime(groupBy)) {
    return all(
      uprightBars({ label, bars, short: (value) => shortNumber(visit.language, value) }),
      bars.length < report.rows.length ? el("p", { class: "hint" }, say("Слика има редове ове странице.", "The picture has the rows of this page.")) : null
    )
  }
  return all(
    lyingBars({ label, bars: bars.toSorted(bySize).slice(0, mostLying) }),
    bars.length > mostLying ? el("p", { class: "hint" }, say(`Слика има највећих ${mostLying}; сви су у табели.`, `The picture has the largest ${mostLying}; the table has all.`)) : null
  )
}
