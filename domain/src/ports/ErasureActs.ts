import { Context, type Effect } from "effect"
import type { Act } from "../activity/Activity.ts"
import type { OrganizationId } from "../tenancy/identifiers.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/**
 * Erasure of personal data outside the signed record, on request. Every act is one commit together with its line in the activity log, which records
 * the erasure without the data. Source: Decisions §15.
 */
export class ErasureActs extends Context.Service<ErasureActs, {
  /**
   * Erases the company register's details of a buyer from an organization's documents that are not in flight and last moved at least that many days
   * ago; answers from how many. The buyer's id is part of the signed record and stays.
   */
  readonly eraseBuyerDetails: (
    act: Act,
    organizationId: OrganizationId,
    erased: { readonly buyerId: string; readonly olderThanDays: number }
  ) => Effect.Effect<number, StoreUnavailable>
}>()("@overa/domain/ports/ErasureActs") {}
