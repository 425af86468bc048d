import { Context, type Effect } from "effect"
import type { InvoiceBuyer } from "../billing/Invoice.ts"
import type { LicenseChange } from "../billing/licensedDays.ts"
import type { OrganizationId } from "../tenancy/identifiers.ts"
import type { CalendarMonth } from "../time/CalendarMonth.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** The billed organizations and their charges. Reads only. */
export class BillingAccounts extends Context.Service<BillingAccounts, {
  /**
   * Organizations with a licence that may have been in force in the month and without an invoice for it, in the order of their ids, after `after` if
   * it is given. The caller counts the licence's days.
   */
  readonly unbilled: (month: CalendarMonth, after: OrganizationId | null, limit: number) => Effect.Effect<ReadonlyArray<OrganizationId>, StoreUnavailable>
  /** The present buyer. */
  readonly buyer: (organizationId: OrganizationId) => Effect.Effect<InvoiceBuyer, StoreUnavailable>
  /** All changes of the organization's licence, oldest first. */
  readonly licenseChanges: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<LicenseChange>, StoreUnavailable>
}>()("@overa/domain/ports/BillingAccounts") {}
