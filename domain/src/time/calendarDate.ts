const daysInMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

const isLeapYear = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

/** Whether a day exists in the Gregorian calendar: 30 February does not, and is never rolled over into March (Decisions §1). */
export const isCalendarDate = (year: number, month: number, day: number): boolean => {
  const days = (daysInMonth[month - 1] ?? 0) + (month === 2 && isLeapYear(year) ? 1 : 0)
  return day >= 1 && day <= days
}
