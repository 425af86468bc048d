import { Context, type DateTime, type Effect, type Option } from "effect"
import type { DeliverySettings } from "../delivery/DeliverySettings.ts"
import type { MemberRole } from "../people/MemberRole.ts"
import type { BusinessPremise } from "../tenancy/BusinessPremise.ts"
import type { PaperFormat, Taxpayer } from "../tenancy/Taxpayer.ts"
import type { OrganizationId, TaxpayerId } from "../tenancy/identifiers.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

export interface OrganizationEntry {
  readonly id: OrganizationId
  readonly name: string
  readonly createdAt: DateTime.Utc
}

export interface MemberEntry {
  readonly person: string
  readonly role: MemberRole
  readonly addedAt: DateTime.Utc
  /** False for a role of an earlier release that was given before its account existed: it opens nothing until an operator gives it again. */
  readonly effective: boolean
}

export interface TaxpayerEntry {
  readonly organizationId: OrganizationId
  readonly taxpayer: Taxpayer
  /** The Belgrade day the VAT status holds from, `2026-01-01`; null where it was never stated. */
  readonly vatStatusSince: string | null
  readonly preferredPaperFormat: PaperFormat
  readonly premises: ReadonlyArray<BusinessPremise>
  readonly delivery: DeliverySettings | null
}

/**
 * What an operator sees of all organizations and their taxpayers. Read only; not used on a receipt's path.
 *
 * @example
 * const organizations = yield* (yield* TenancyOversight).organizations
 */
export class TenancyOversight extends Context.Service<TenancyOversight, {
  /** Sorted by name. */
  readonly organizations: Effect.Effect<ReadonlyArray<OrganizationEntry>, StoreUnavailable>
  readonly members: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<MemberEntry>, StoreUnavailable>
  /** Of one organization, or of all. */
  readonly taxpayers: (organizationId: OrganizationId | null) => Effect.Effect<ReadonlyArray<TaxpayerEntry>, StoreUnavailable>
  readonly taxpayer: (id: TaxpayerId) => Effect.Effect<Option.Option<TaxpayerEntry>, StoreUnavailable>
}>()("@overa/domain/ports/TenancyOversight") {}
