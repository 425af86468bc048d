/** The month as a bookkeeper takes it. */
export type { BookDocument } from "../books/BookDocument.ts"
export { type BookKind, type BookLine, bookLine, type BookPart, type VatColumn } from "../books/BookLine.ts"
export { MonthTooLarge } from "../books/errors.ts"
export {
  type BookSides, type BookSums, lineSums, netOf, noSums, type OpenAdvance, openAdvances, type PaymentRow, paymentRows, type RateRow, rateRows, sidesBy, sumOf
} from "../books/monthBook.ts"
export { type DayFigures, dayFigures, type IncomeDay, incomeDays, type PopdvFigures, popdvFigures, type PopdvRow } from "../books/vatFigures.ts"
export { firstMonthToMail, isMonthMailDue, lastMonthToMail, type MonthMailChoice, monthMailDueAt, MonthMailFormat, MonthMailLanguage, monthMailWaitsUntil } from "../books/monthMail.ts"
export { monthMailAnchor, monthMailFormatNames, monthMailMessage, type MonthMailSubject } from "../books/monthMailMessage.ts"
