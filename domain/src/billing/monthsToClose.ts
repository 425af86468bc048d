import { DateTime } from "effect"
import { type CalendarMonth, monthOf, monthRange, monthsLater } from "../time/CalendarMonth.ts"
import type { PriceList } from "./PriceList.ts"

/** So long after its end a month is left open: what was under way at midnight has its outcome by then. */
export const closingMarginHours = 24

/** A month that was left open for so many months is closed by the operator's command alone. */
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
