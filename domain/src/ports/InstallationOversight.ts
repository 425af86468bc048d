import { Context, type DateTime, type Effect } from "effect"
import type { Activity } from "../activity/Activity.ts"
import type { DeliveryFailure } from "../delivery/ReceiptDelivery.ts"
import type { DocumentStatus } from "../documents/DocumentStatus.ts"
import type { Environment } from "../tenancy/Environment.ts"
import type { SecurityElement } from "../tenancy/SecurityElement.ts"
import type { OrganizationId } from "../tenancy/identifiers.ts"
import type { ReferenceKey } from "../verification/checkReceipt.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

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
}>()("@overa/domain/ports/InstallationOversight") {}
