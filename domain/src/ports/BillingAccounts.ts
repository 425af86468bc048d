import { Context, type Effect } from "effect"
import type { InvoiceBuyer } from "../billing/Invoice.ts"
import type { LicenseChange } from "../billing/licensedDays.ts"
import type { OrganizationId } from "../tenancy/identifiers.ts"
import type { CalendarMonth } from "../time/CalendarMonth.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** What is billed to whom. Only reads. */
export class BillingAccounts extends Context.Service<BillingAccounts, {
  /**
   * Organizations whose licence may have been in force in the month and that have no invoice for it, in the order of their ids, after `after`
   * where that is given. The licence's days are for the caller to count.
   */
  readonly unbilled: (month: CalendarMonth, after: OrganizationId | null, limit: number) => Effect.Effect<ReadonlyArray<OrganizationId>, StoreUnavailable>
  /** As of now. */
  readonly buyer: (organizationId: OrganizationId) => Effect.Effect<InvoiceBuyer, StoreUnavailable>
  /** Everything that was ever decided about the organization's licence, oldest first. */
  readonly licenseChanges: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<LicenseChange>, StoreUnavailable>
}>()("@overa/domain/ports/BillingAccounts") {}
