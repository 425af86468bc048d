import { Context, type Effect } from "effect"
import type { SellerOnReceipt } from "../receipt-text/SellerOnReceipt.ts"
import type { OrganizationId, SecurityElementId } from "../tenancy/identifiers.ts"

/** What the V-PFR will print about the seller. */
export class SellerDetails extends Context.Service<SellerDetails, {
  /** From the element's certificate, without asking the V-PFR; null where the element cannot be opened now. */
  readonly ofElement: (organizationId: OrganizationId, id: SecurityElementId) => Effect.Effect<SellerOnReceipt | null>
}>()("@overa/domain/ports/SellerDetails") {}
