import { Context, type Effect } from "effect"
import type { Act } from "../activity/Activity.ts"
import type { OrganizationId } from "../tenancy/identifiers.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/**
 * Erasure of personal data outside the signed record, on request. Every act is one commit together with its line in the activity log, which says
 * that it was done, and not whose data it was. Source: Decisions §15.
 */
export class ErasureActs extends Context.Service<ErasureActs, {
  /**
   * Erases what the company register said of a buyer from an organization's documents that are at rest and last moved at least so many days ago;
   * from how many. The buyer's id is part of the signed record and stays.
   */
  readonly eraseBuyerDetails: (
    act: Act,
    organizationId: OrganizationId,
    erased: { readonly buyerId: string; readonly olderThanDays: number }
  ) => Effect.Effect<number, StoreUnavailable>
}>()("@overa/domain/ports/ErasureActs") {}
