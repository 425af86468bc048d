import { DateTime } from "effect"
import { type CalendarMonth, monthOf, monthRange, monthsLater } from "../time/CalendarMonth.ts"
import type { PriceList } from "./PriceList.ts"

/** A month stays open for so long after its end: documents in flight at midnight have their outcome by then. */
export const closingMarginHours = 24

/** A month that was open for this many months is closed only by the operator's command. */
export const monthsLookedBack = 12

/** Whether a month may be closed: it ended in Belgrade, and the margin after it is over. */
export const mayClose = (month: CalendarMonth, now: DateTime.DateTime): boolean =>
  DateTime.isGreaterThanOrEqualTo(now, DateTime.add(monthRange(month).to, { hours: closingMarginHours }))

/** The months that may be closed now, oldest first: those with prices, at most the last twelve. */
export const monthsToClose = (lists: ReadonlyArray<PriceList>, now: DateTime.DateTime): ReadonlyArray<CalendarMonth> => {
  const running = monthOf(now)
  const begins = lists.map(({ validFrom }) => validFrom).toSorted()[0]
  const last = Array.from({ length: monthsLookedBack }, (_, index) => monthsLater(running, index - monthsLookedBack))
  return last.filter((month) => begins !== undefined && month >= begins && mayClose(month, now))
}
