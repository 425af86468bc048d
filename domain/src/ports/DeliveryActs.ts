import { Context, type Effect } from "effect"
import type { ActRefused } from "../activity/ActRefused.ts"
import type { Act } from "../activity/Activity.ts"
import type { DeliverySettings } from "../delivery/DeliverySettings.ts"
import type { OrganizationId, TaxpayerId } from "../tenancy/identifiers.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** How receipts are sent to buyers, and the erasure of a buyer's address. Every act is one commit together with its line in the activity log: who, what, before, after, why. */
export class DeliveryActs extends Context.Service<DeliveryActs, {
  /** With `seen`, refused as `CHANGED_MEANWHILE` when the stored settings differ from it. */
  readonly changeDelivery: (
    act: Act,
    organizationId: OrganizationId,
    taxpayerId: TaxpayerId,
    settings: DeliverySettings,
    seen?: DeliverySettings
  ) => Effect.Effect<void, ActRefused | StoreUnavailable>
  /**
   * Erases a buyer's address from an organization's deliveries that are no longer queued and at least that many days old (Decisions §15); every
   * address where `recipient` is null. Answers from how many. The activity log records the erasure without the address.
   */
  readonly eraseRecipient: (
    act: Act,
    organizationId: OrganizationId,
    erased: { readonly recipient: string | null; readonly olderThanDays: number }
  ) => Effect.Effect<number, StoreUnavailable>
}>()("@overa/domain/ports/DeliveryActs") {}
