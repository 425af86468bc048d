import { DateTime, Effect } from "effect"
import { type Act, ActRefused } from "../../activity/Activity.ts"
import { composeInvoice } from "../../billing/composeInvoice.ts"
import type { InvoiceIssuer } from "../../billing/Invoice.ts"
import { mayClose } from "../../billing/licensedDays.ts"
import { type PriceList, priceListOf } from "../../billing/PriceList.ts"
import { BillingAccounts, BillingTerms, Invoices } from "../../ports/Billing.ts"
import { DocumentCounts } from "../../ports/JournalStore.ts"
import { Installation } from "../../ports/TenancyDirectory.ts"
import type { OrganizationId } from "../../tenancy/identifiers.ts"
import { type CalendarMonth, monthRange } from "../../time/CalendarMonth.ts"

/** The number of invoices that one call issued, and the organization after which to continue; null when the month is closed. */
export interface ClosedSome {
  readonly issued: number
  readonly next: OrganizationId | null
}

interface Terms {
  readonly month: CalendarMonth
  readonly prices: PriceList
  readonly issuer: InvoiceIssuer
}

const notClosable = (detail: string) => new ActRefused({ reason: "MONTH_NOT_CLOSABLE", detail })

const termsOf = Effect.fnUntraced(function*(month: CalendarMonth) {
  const billingTerms = yield* BillingTerms
  // Documents lost by a restore must be restored first: documents are counted, and an invoice uses a number.
  if ((yield* (yield* Installation).settings("production")).restoring) return yield* notClosable("A restore is in progress; months are closed after it.")
  if (!mayClose(month, yield* DateTime.now)) return yield* notClosable(`${month} can be closed a day after its end in Belgrade, not before.`)
  const prices = priceListOf(yield* billingTerms.priceLists, month)
  if (prices === null) return yield* notClosable(`There is no price list for ${month}.`)
  const issuer = yield* billingTerms.issuer
  if (issuer === null) return yield* notClosable("Nobody is named as the issuer of invoices yet.")
  return { month, prices, issuer: issuer.issuer } satisfies Terms
})

const billOne = Effect.fnUntraced(function*(act: Act, { issuer, month, prices }: Terms, organizationId: OrganizationId) {
  const accounts = yield* BillingAccounts
  const content = composeInvoice({
    month,
    prices,
    issuer,
    buyer: yield* accounts.buyer(organizationId),
    licenseChanges: yield* accounts.licenseChanges(organizationId),
    documents: yield* (yield* DocumentCounts).fiscalized({ organizationId, environment: "production" }, monthRange(month))
  })
  if (content === null) return false
  const issued = yield* (yield* Invoices).issue(act, organizationId, content)
  return issued._tag === "Issued"
})

/**
 * Issues a month's invoices to at most `limit` organizations after `after`. Each invoice is a separate commit; repeated after any failure, or called
 * by several processes at the same time, it issues each invoice once. Refused with MONTH_NOT_CLOSABLE until a day after the month's end, without
 * prices or an issuer, and while a restore is in progress.
 */
export const closeMonth = Effect.fn("closeMonth")(function*(act: Act, month: CalendarMonth, after: OrganizationId | null, limit: number) {
  const terms = yield* termsOf(month)
  const organizations = yield* (yield* BillingAccounts).unbilled(month, after, limit)
  const issued = yield* Effect.forEach(organizations, (organizationId) => billOne(act, terms, organizationId))
  const closed: ClosedSome = {
    issued: issued.filter((one) => one).length,
    next: organizations.length < limit ? null : organizations.at(-1) ?? null
  }
  return closed
})
