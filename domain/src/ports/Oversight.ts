import { Context, type DateTime, type Effect, type Option } from "effect"
import type { DocumentStatus } from "../documents/DocumentStatus.ts"
import type { License } from "../licensing/License.ts"
import type { BusinessPremise } from "../tenancy/BusinessPremise.ts"
import type { MemberRole } from "../people/MemberRole.ts"
import type { DeliveryFailure } from "../delivery/ReceiptDelivery.ts"
import type { DeliverySettings } from "../delivery/DeliverySettings.ts"
import type { Environment } from "../tenancy/Environment.ts"
import type { FiscalDocumentId, OrganizationId, SecurityElementId, TaxpayerId } from "../tenancy/identifiers.ts"
import type { Scope } from "../tenancy/Scope.ts"
import type { SecurityElement } from "../tenancy/SecurityElement.ts"
import type { PaperFormat, Taxpayer } from "../tenancy/Taxpayer.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"
import type { Activity } from "../activity/Activity.ts"
import type { OpenAttention } from "../operations/OpenAttention.ts"
import type { ReferenceKey } from "../verification/ReferenceKey.ts"

export interface OrganizationEntry {
  readonly id: OrganizationId
  readonly name: string
  readonly createdAt: DateTime.Utc
}

export interface MemberEntry {
  readonly person: string
  readonly role: MemberRole
  readonly addedAt: DateTime.Utc
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

export interface ElementEntry {
  readonly organizationId: OrganizationId
  readonly taxIdentifier: string
  readonly tin: string
  readonly element: SecurityElement
}

export interface PoolEntry {
  readonly jid: string
  readonly subject: string
  readonly validTo: DateTime.Utc
  readonly addedAt: DateTime.Utc
}

export interface CredentialEntry {
  readonly clientId: string
  readonly organizationId: OrganizationId
  readonly environment: Environment | null
  readonly scopes: ReadonlyArray<Scope>
  readonly createdAt: DateTime.Utc
  readonly revokedAt: DateTime.Utc | null
}

/** An operation whose outcome is not known, as the operator's list shows it; the rest is read through `OperationStore`. */
export interface UnresolvedEntry {
  readonly organizationId: OrganizationId
  readonly environment: Environment
  readonly id: FiscalDocumentId
  readonly status: DocumentStatus
  readonly createdAt: DateTime.Utc
  /** How often it was searched at the V-PFR. */
  readonly checks: number
  readonly nextCheckAt: DateTime.Utc | null
}

/** What an attempt left behind besides its facts: the V-PFR's answer where it was no signed one. */
export interface AttemptEvidence {
  readonly number: number
  readonly answerText: string | null
}

/** An item of the attention list, dealt with or not. */
export interface AttentionEntry extends OpenAttention {
  readonly acknowledgedAt: DateTime.Utc | null
  readonly acknowledgedBy: string | null
  readonly acknowledgement: string | null
}

/** Every part is optional; parts are joined by "and". */
export interface ActivityFilter {
  /** Null: acts on the installation itself. */
  readonly organizationId?: OrganizationId | null
  readonly actor?: string
  /** Anywhere in act, subject, before, after or reason, whatever its case. */
  readonly text?: string
  readonly from?: DateTime.Utc
  readonly to?: DateTime.Utc
  readonly limit: number
}

/** What is counted over the whole installation, for metrics. Cheap: nothing here reads finished operations. */
export interface InstallationFigures {
  readonly elements: ReadonlyArray<{ readonly environment: Environment; readonly status: SecurityElement["status"]; readonly count: number }>
  /** Days until the first active certificate ends, by environment; absent where there is none. */
  readonly certificates: ReadonlyArray<{ readonly environment: Environment; readonly firstEndsAt: DateTime.Utc; readonly endingSoon: number }>
  readonly unresolved: ReadonlyArray<{ readonly environment: Environment; readonly status: DocumentStatus; readonly count: number; readonly oldestAt: DateTime.Utc }>
  /** Searches whose time has come. */
  readonly searchesDue: number
  readonly openAttention: number
  readonly poolElements: number
  readonly deliveries: {
    readonly queued: number
    /** Since when the longest waiting message waits for us; null when none does. */
    readonly waitingSince: DateTime.Utc | null
    /** Of the last 24 hours. */
    readonly sent: number
    readonly failed: ReadonlyArray<{ readonly failure: DeliveryFailure; readonly count: number }>
  }
}

/**
 * What the operator sees of the whole installation, over all organizations. Only reads; nothing here is on the way of a receipt.
 *
 * @example
 * const { unresolved } = yield* (yield* Oversight).figures
 */
export class Oversight extends Context.Service<Oversight, {
  /** By name. */
  readonly organizations: Effect.Effect<ReadonlyArray<OrganizationEntry>, StoreUnavailable>
  readonly members: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<MemberEntry>, StoreUnavailable>
  /** Of one organization, or of all. */
  readonly taxpayers: (organizationId: OrganizationId | null) => Effect.Effect<ReadonlyArray<TaxpayerEntry>, StoreUnavailable>
  readonly taxpayer: (id: TaxpayerId) => Effect.Effect<Option.Option<TaxpayerEntry>, StoreUnavailable>
  /** Of one organization, or of all; the first to end first. */
  readonly elements: (organizationId: OrganizationId | null) => Effect.Effect<ReadonlyArray<ElementEntry>, StoreUnavailable>
  readonly element: (id: SecurityElementId) => Effect.Effect<Option.Option<ElementEntry>, StoreUnavailable>
  readonly pool: Effect.Effect<ReadonlyArray<PoolEntry>, StoreUnavailable>
  readonly credentials: (organizationId: OrganizationId | null) => Effect.Effect<ReadonlyArray<CredentialEntry>, StoreUnavailable>
  /** As it is now; `LicenseRegister` answers for receipts and may be two seconds old. Null where there is none. */
  readonly license: (organizationId: OrganizationId) => Effect.Effect<License | null, StoreUnavailable>
  /** Oldest first. */
  readonly unresolved: (limit: number) => Effect.Effect<ReadonlyArray<UnresolvedEntry>, StoreUnavailable>
  readonly operation: (id: FiscalDocumentId) => Effect.Effect<Option.Option<UnresolvedEntry>, StoreUnavailable>
  readonly evidence: (
    organizationId: OrganizationId,
    id: FiscalDocumentId
  ) => Effect.Effect<ReadonlyArray<AttemptEvidence>, StoreUnavailable>
  readonly attentionOf: (
    organizationId: OrganizationId,
    id: FiscalDocumentId
  ) => Effect.Effect<ReadonlyArray<AttentionEntry>, StoreUnavailable>
  readonly attention: (id: string) => Effect.Effect<Option.Option<AttentionEntry>, StoreUnavailable>
  /** Items nobody has acknowledged, oldest first. */
  readonly openAttention: (limit: number) => Effect.Effect<ReadonlyArray<OpenAttention>, StoreUnavailable>
  /** Newest first. */
  readonly searchActivity: (filter: ActivityFilter) => Effect.Effect<ReadonlyArray<Activity>, StoreUnavailable>
  readonly referenceKeys: Effect.Effect<ReadonlyArray<ReferenceKey>, StoreUnavailable>
  /** Under which key ids secrets are sealed, and how many under each. */
  readonly sealingKeys: Effect.Effect<ReadonlyArray<{ readonly keyId: string; readonly envelopes: number }>, StoreUnavailable>
  readonly figures: Effect.Effect<InstallationFigures, StoreUnavailable>
  /** Steps of the schema this release has and the database does not. */
  readonly pendingMigrations: Effect.Effect<ReadonlyArray<number>, StoreUnavailable>
}>()("@overa/domain/ports/Oversight") {}
