import { Context, type DateTime, type Effect, type Option } from "effect"
import type { Activity } from "../activity/Activity.ts"
import type { DeliverySettings } from "../delivery/DeliverySettings.ts"
import type { DeliveryFailure } from "../delivery/ReceiptDelivery.ts"
import type { DocumentStatus } from "../documents/DocumentStatus.ts"
import type { License } from "../licensing/licenseGate.ts"
import type { OpenAttention } from "../operations/OpenAttention.ts"
import type { AttemptOutcome } from "../operations/Operation.ts"
import type { MemberRole } from "../people/MemberRole.ts"
import type { BusinessPremise, PaperFormat, Taxpayer } from "../tenancy/Taxpayer.ts"
import type { Environment } from "../tenancy/Environment.ts"
import type { GrantableScope } from "../tenancy/Caller.ts"
import type { SecurityElement } from "../tenancy/SecurityElement.ts"
import type { BusinessPremiseId, FiscalDocumentId, OrganizationId, SecurityElementId, TaxpayerId } from "../tenancy/identifiers.ts"
import type { ReferenceKey } from "../verification/checkReceipt.ts"
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

export interface WaitingRole extends MemberEntry {
  readonly organizationId: OrganizationId
  readonly organization: string
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
  /** Roles of an earlier release that wait for a person, of all organizations: an address alone is nobody. */
  readonly waitingRoles: Effect.Effect<ReadonlyArray<WaitingRole>, StoreUnavailable>
  /** Of one organization, or of all. */
  readonly taxpayers: (organizationId: OrganizationId | null) => Effect.Effect<ReadonlyArray<TaxpayerEntry>, StoreUnavailable>
  readonly taxpayer: (id: TaxpayerId) => Effect.Effect<Option.Option<TaxpayerEntry>, StoreUnavailable>
}>()("@overa/domain/ports/TenancyOversight") {}

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

/** How the V-PFR has answered one element's submissions of the last 24 hours; of an organization with many, the latest. Each attempt counts. */
export interface VpfrAnswers {
  readonly organizationId: OrganizationId
  readonly environment: Environment
  readonly elementId: SecurityElementId
  readonly jid: string
  readonly sent: number
  readonly signed: number
  readonly rejected: number
  /** It is proven that nothing reached the V-PFR. */
  readonly notSent: number
  readonly noAnswer: number
  /** Of the latest attempt that has ended; null where none has. */
  readonly lastOutcome: AttemptOutcome | null
  /** When the last attempt that was answered was sent; null where none was. */
  readonly lastAnswerAt: DateTime.Utc | null
  /** From the sending to the commit of the answer, of documents whose first attempt was signed; null where there is none. */
  readonly medianMillis: number | null
  readonly p95Millis: number | null
}

/** What an operator sees of all security elements. Read only; not used on a receipt's path. */
export class ElementOversight extends Context.Service<ElementOversight, {
  /** Of one organization, or of all; those that expire first come first. */
  readonly elements: (organizationId: OrganizationId | null) => Effect.Effect<ReadonlyArray<ElementEntry>, StoreUnavailable>
  readonly element: (id: SecurityElementId) => Effect.Effect<Option.Option<ElementEntry>, StoreUnavailable>
  readonly pool: Effect.Effect<ReadonlyArray<PoolEntry>, StoreUnavailable>
  /** Of every organization, in no order; elements that sent nothing are left out. */
  readonly vpfrAnswers: Effect.Effect<ReadonlyArray<VpfrAnswers>, StoreUnavailable>
}>()("@overa/domain/ports/ElementOversight") {}

export interface CredentialEntry {
  readonly clientId: string
  readonly organizationId: OrganizationId
  readonly environment: Environment | null
  readonly scopes: ReadonlyArray<GrantableScope>
  /** Null for one that was issued without a name. */
  readonly name: string | null
  /** Null where it may be used for every premise. */
  readonly premises: ReadonlyArray<BusinessPremiseId> | null
  readonly createdAt: DateTime.Utc
  /** Until when the secret before the last rotation is accepted; null where there is none. May be over. */
  readonly formerSecretUntil: DateTime.Utc | null
  readonly revokedAt: DateTime.Utc | null
  /** The time of its last token, to the hour; null if it never got one, or if another issuer issues the tokens. */
  readonly lastUsedAt: DateTime.Utc | null
}

/** What an operator sees of credentials and licences. Read only; not used on a receipt's path. */
export class AccessOversight extends Context.Service<AccessOversight, {
  readonly credentials: (organizationId: OrganizationId | null) => Effect.Effect<ReadonlyArray<CredentialEntry>, StoreUnavailable>
  /** Whether the organization may issue and rotate its credentials itself. */
  readonly ownCredentials: (organizationId: OrganizationId) => Effect.Effect<boolean, StoreUnavailable>
  /** The keys under which the digests of active credentials' secrets were made, and how many under each; null: made before keys were recorded. */
  readonly digestKeys: Effect.Effect<ReadonlyArray<{ readonly keyId: string | null; readonly credentials: number }>, StoreUnavailable>
  /** How many operators have a second factor and can therefore sign in. */
  readonly operators: Effect.Effect<number, StoreUnavailable>
  /** The current licence; `LicenseRegister`, which receipts use, may be two seconds old. Null where there is none. */
  readonly license: (organizationId: OrganizationId) => Effect.Effect<License | null, StoreUnavailable>
}>()("@overa/domain/ports/AccessOversight") {}

/** An operation whose outcome is not known, as the operator's list shows it; the rest is read through `OperationStore`. */
export interface UnresolvedEntry {
  readonly organizationId: OrganizationId
  readonly environment: Environment
  readonly id: FiscalDocumentId
  readonly status: DocumentStatus
  readonly createdAt: DateTime.Utc
  /** How often it was searched at the V-PFR since its last attempt. */
  readonly checks: number
  readonly nextCheckAt: DateTime.Utc | null
}

/** What an operator sees of operations with an unknown outcome. Read only; not used on a receipt's path. */
export class OperationOversight extends Context.Service<OperationOversight, {
  /** Oldest first. */
  readonly unresolved: (limit: number) => Effect.Effect<ReadonlyArray<UnresolvedEntry>, StoreUnavailable>
  readonly operation: (id: FiscalDocumentId) => Effect.Effect<Option.Option<UnresolvedEntry>, StoreUnavailable>
}>()("@overa/domain/ports/OperationOversight") {}

/** An item of the attention list, acknowledged or not. */
export interface AttentionEntry extends OpenAttention {
  readonly acknowledgedAt: DateTime.Utc | null
  readonly acknowledgedBy: string | null
  readonly acknowledgement: string | null
}

/** What an operator sees of the attention list. Read only; not used on a receipt's path. */
export class AttentionOversight extends Context.Service<AttentionOversight, {
  readonly attentionOf: (
    organizationId: OrganizationId,
    id: FiscalDocumentId
  ) => Effect.Effect<ReadonlyArray<AttentionEntry>, StoreUnavailable>
  readonly attention: (id: string) => Effect.Effect<Option.Option<AttentionEntry>, StoreUnavailable>
  /** Items nobody has acknowledged, oldest first; of every organization for null. */
  readonly openAttention: (organizationId: OrganizationId | null, limit: number) => Effect.Effect<ReadonlyArray<OpenAttention>, StoreUnavailable>
}>()("@overa/domain/ports/AttentionOversight") {}

/** Every field is optional; all given fields must match. */
export interface ActivityFilter {
  /** Null: acts on the installation itself. */
  readonly organizationId?: OrganizationId | null
  readonly actor?: string
  /** Anywhere in act, subject, before, after or reason; letter case is ignored. */
  readonly text?: string
  /** Lines with one of these acts are found besides: what `text` means in the language of who asks. */
  readonly acts?: ReadonlyArray<string>
  readonly from?: DateTime.Utc
  readonly to?: DateTime.Utc
  readonly limit: number
}

/** Figures of the whole installation, for metrics. Cheap: finished operations are never read. */
export interface InstallationFigures {
  readonly elements: ReadonlyArray<{ readonly environment: Environment; readonly status: SecurityElement["status"]; readonly count: number }>
  /** Days until the first active certificate ends, by environment; absent where there is none. */
  readonly certificates: ReadonlyArray<{ readonly environment: Environment; readonly firstEndsAt: DateTime.Utc; readonly endingSoon: number }>
  readonly unresolved: ReadonlyArray<{ readonly environment: Environment; readonly status: DocumentStatus; readonly count: number; readonly oldestAt: DateTime.Utc }>
  /** Searches that are due. */
  readonly searchesDue: number
  /** Documents that the service sends by itself and that have no next check: nobody would send them. There must be none. */
  readonly atRest: number
  readonly openAttention: number
  /** Of these, gaps in the counters of an element. */
  readonly counterGaps: number
  /** Stored operations that this release cannot read, as far as some process has tried to read them and the item was not acknowledged since. */
  readonly unreadable: number
  readonly poolElements: number
  readonly deliveries: {
    readonly queued: number
    /** When the longest waiting message that the service itself must send began to wait; null when none waits. */
    readonly waitingSince: DateTime.Utc | null
    /** Of the last 24 hours. */
    readonly sent: number
    readonly failed: ReadonlyArray<{ readonly failure: DeliveryFailure; readonly count: number }>
  }
}

/** What the database says of its archive of write-ahead log, the greater part of a back-up. */
export interface ArchiveState {
  readonly lastArchivedAt: DateTime.Utc | null
  readonly lastFailedAt: DateTime.Utc | null
}

/** What an operator sees of the installation itself: the activity log, its keys, its figures. Read only; not used on a receipt's path. */
export class InstallationOversight extends Context.Service<InstallationOversight, {
  /** Newest first. */
  readonly searchActivity: (filter: ActivityFilter) => Effect.Effect<ReadonlyArray<Activity>, StoreUnavailable>
  readonly referenceKeys: Effect.Effect<ReadonlyArray<ReferenceKey>, StoreUnavailable>
  /** The ids of the keys that encrypt secrets, and how many secrets are under each. */
  readonly sealingKeys: Effect.Effect<ReadonlyArray<{ readonly keyId: string; readonly envelopes: number }>, StoreUnavailable>
  readonly figures: Effect.Effect<InstallationFigures, StoreUnavailable>
  /** Migrations that this release has and the database has not. */
  readonly pendingMigrations: Effect.Effect<ReadonlyArray<number>, StoreUnavailable>
  /** Null where the database archives nothing itself; its provider may. */
  readonly archive: Effect.Effect<ArchiveState | null, StoreUnavailable>
}>()("@overa/domain/ports/InstallationOversight") {}
