/** What an organization pays for the service: price lists, months and their invoices. None of it is on the path of a receipt. */
export { composeInvoice, invoiceDays, type MonthToBill, printedNumber, readInvoiceNumber, shareOf } from "../billing/composeInvoice.ts"
export { type Invoice, InvoiceBuyer, InvoiceContent, type InvoiceEntry, InvoiceIssuer, InvoiceLine, type InvoiceNumber, paidOn, type PaymentNote } from "../billing/Invoice.ts"
export { closingMarginHours, type LicenseChange, licensedDays, type LicensedDays, mayClose, monthsLookedBack, monthsToClose } from "../billing/licensedDays.ts"
export { mayBeginWith, Price, type PriceList, priceListOf, type Prices, readPrice, readVatRate, VatRate } from "../billing/PriceList.ts"
export { type IssuerTexts, readIssuer } from "../billing/readIssuer.ts"
export { CalendarMonth, daysOfMonth, monthOf, monthRange, monthsLater, readMonth } from "../time/CalendarMonth.ts"
