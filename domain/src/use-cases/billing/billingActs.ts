import { DateTime, Effect } from "effect"
import { type Act, ActRefused } from "../../activity/Activity.ts"
import type { InvoiceNumber } from "../../billing/Invoice.ts"
import { mayBeginWith, type Prices } from "../../billing/PriceList.ts"
import { BillingTerms, Invoices } from "../../ports/Billing.ts"
import { belgradeDay, isCalendarDate } from "../../time/belgradeTime.ts"
import type { CalendarMonth } from "../../time/CalendarMonth.ts"

/**
 * Adds a price list and returns its version. Refused with PRICES_NOT_POSSIBLE if the month has begun (only the first list may begin with the running
 * month), and with CHANGED_MEANWHILE if another list was added since.
 *
 * @param seen The newest version that was seen, 0 for none; null if none was read.
 */
export const setPrices = Effect.fn("setPrices")(function*(act: Act, prices: Prices & { readonly validFrom: CalendarMonth }, seen: number | null) {
  const terms = yield* BillingTerms
  const lists = yield* terms.priceLists
  if (!mayBeginWith(lists, prices.validFrom, yield* DateTime.now)) {
    const detail = `Prices cannot begin with ${prices.validFrom}: prices of a month that has begun do not change.`
    return yield* new ActRefused({ reason: "PRICES_NOT_POSSIBLE", detail })
  }
  return yield* terms.addPriceList(act, prices, seen ?? lists[0]?.version ?? 0)
})

const isDay = (text: string): boolean => {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  return parts !== null && isCalendarDate(Number(parts[1]), Number(parts[2]), Number(parts[3]))
}

/** Notes that an invoice was paid on a Belgrade day, not later than today; with null, that it is not paid after all. */
export const notePayment = Effect.fn("notePayment")(function*(act: Act, id: InvoiceNumber, paidOn: string | null) {
  const today = belgradeDay(yield* DateTime.now)
  if (paidOn !== null && (!isDay(paidOn) || paidOn > today)) {
    return yield* new ActRefused({ reason: "INVOICE_NOT_PAID", detail: `"${paidOn}" is no day up to today, such as ${today}.` })
  }
  yield* (yield* Invoices).notePayment(act, id, paidOn)
})
