import { Context, type Effect } from "effect"
import type { ActRefused } from "../activity/ActRefused.ts"
import type { Act } from "../activity/Activity.ts"
import type { InvoiceIssuer } from "../billing/Invoice.ts"
import type { PriceList, Prices } from "../billing/PriceList.ts"
import type { CalendarMonth } from "../time/CalendarMonth.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** An issuer with the number of its version. */
export interface IssuerVersion {
  readonly version: number
  readonly issuer: InvoiceIssuer
}

/**
 * The terms of invoices: prices and the issuer. Versions are added and never changed; each act is one commit together with its line in the activity
 * log. `seen` is the newest version that the deciding person has seen, 0 for none. If a newer one is stored, the act is refused with
 * CHANGED_MEANWHILE, so that of two acts at the same time one wins.
 */
export class BillingTerms extends Context.Service<BillingTerms, {
  /** Every price list, the newest version first. */
  readonly priceLists: Effect.Effect<ReadonlyArray<PriceList>, StoreUnavailable>
  /** Returns the new version. The caller decides whether the list may begin with that month. */
  readonly addPriceList: (act: Act, prices: Prices & { readonly validFrom: CalendarMonth }, seen: number) => Effect.Effect<number, ActRefused | StoreUnavailable>
  /** The newest issuer; null before the operator has named one. */
  readonly issuer: Effect.Effect<IssuerVersion | null, StoreUnavailable>
  readonly changeIssuer: (act: Act, issuer: InvoiceIssuer, seen: number) => Effect.Effect<number, ActRefused | StoreUnavailable>
}>()("@overa/domain/ports/BillingTerms") {}
