import { BigDecimal } from "effect"
import type { SalesAndRefunds, TurnoverGrouping } from "@overa/domain"
import { type Bar, lyingBars, uprightBars } from "../../html/barChart.ts"
import { all, el, type Html } from "../../html/el.ts"
import type { MemberVisit } from "../../http/Visit.ts"
import { amount, shortNumber } from "../../language/formats.ts"
import { groupTexts, type PremiseNames } from "./groupingWords.ts"

const mostLying = 12
/** A quarter of days: more bars are narrower than a pointer, and the picture of a year has twelve of its months. */
const mostUpright = 92

const isOverTime = (groupBy: ReadonlyArray<TurnoverGrouping>): boolean => groupBy.length === 1 && (groupBy[0] === "day" || groupBy[0] === "month")

const bySize = (one: Bar, other: Bar): number => BigDecimal.Order(BigDecimal.abs(other.value), BigDecimal.abs(one.value))

/** The largest rows as a chart: vertical bars for times, horizontal ones for names. */
export const reportPicture = (visit: MemberVisit, rows: ReadonlyArray<SalesAndRefunds>, groupBy: ReadonlyArray<TurnoverGrouping>, premises: PremiseNames): Html => {
  const { say } = visit
  if (rows.length < 2) return null
  const bars = rows.map((row): Bar => ({
    name: groupTexts(say, row, groupBy, premises).join(" · "),
    value: row.net.gross,
    shown: `${amount(row.net.gross)} RSD`
  }))
  const label = say("Нето промет; исти бројеви су у табели", "Net turnover; the table has the same numbers")
  if (isOverTime(groupBy)) {
    return all(
      uprightBars({ label, bars: bars.slice(-mostUpright), short: (value) => shortNumber(visit.language, value) }),
      bars.length > mostUpright ? el("p", { class: "hint" }, say(`Слика има последњих ${mostUpright}; сви су у табели.`, `The picture has the last ${mostUpright}; the table has all.`)) : null
    )
  }
  return all(
    lyingBars({ label, bars: bars.toSorted(bySize).slice(0, mostLying) }),
    bars.length > mostLying ? el("p", { class: "hint" }, say(`Слика има највећих ${mostLying}; сви су у табели.`, `The picture has the largest ${mostLying}; the table has all.`)) : null
  )
}
