import { Context, type DateTime, type Effect, type Option, type Stream } from "effect"
import type { Act } from "../activity/Activity.ts"
import type { ElsewhereDay } from "../elsewhere/elsewhereTotals.ts"
import type { ElsewhereReceipt } from "../elsewhere/ElsewhereReceipt.ts"
import type { ElsewhereImportRefused } from "../elsewhere/errors.ts"
import type { ElsewhereImport, FoundElsewhere } from "../elsewhere/settleElsewhere.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { TaxpayerNotFound } from "../tenancy/errors.ts"
import type { TaxpayerId } from "../tenancy/identifiers.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** A null field filters nothing; times are half-open. */
export interface ElsewhereFilter {
  readonly taxpayerId: TaxpayerId | null
  readonly pfrFrom: DateTime.Utc | null
  readonly pfrTo: DateTime.Utc | null
  /** The beginning of the number. */
  readonly pfrNumber: string | null
}

/** A stored receipt, with whose it is. */
export interface StoredElsewhereReceipt {
  readonly taxpayerId: TaxpayerId
  readonly receipt: ElsewhereReceipt
}

/** Latest first, by time and then number; `next` is the last receipt's number where there are more. */
export interface ElsewherePage {
  readonly items: ReadonlyArray<StoredElsewhereReceipt>
  readonly next: string | null
}

/**
 * Receipts that a tenant's taxpayers have issued with other ESIRs. Another tenant's are never seen. A receipt of this service can be imported while its outcome is
 * unknown; from the moment it is found, `get`, `page` and `days` leave it out.
 */
export class ElsewhereReceipts extends Context.Service<ElsewhereReceipts, {
  /**
   * Stores all that is found in one commit, with its line in the activity log, or nothing where there is a fault. Imports of one taxpayer run one after
   * another. `found` may be read more than once.
   */
  readonly importAll: <E>(
    act: Act,
    tenant: Tenant,
    taxpayerId: TaxpayerId,
    found: Stream.Stream<ReadonlyArray<FoundElsewhere>, E>
  ) => Effect.Effect<ElsewhereImport, E | ElsewhereImportRefused | TaxpayerNotFound | StoreUnavailable>
  readonly get: (tenant: Tenant, taxpayerId: TaxpayerId, pfrNumber: string) => Effect.Effect<Option.Option<ElsewhereReceipt>, StoreUnavailable>
  /** The page behind a receipt's number; from the first one where it is null or of no receipt that the filter has. */
  readonly page: (tenant: Tenant, filter: ElsewhereFilter, after: string | null, pageSize: number) => Effect.Effect<ElsewherePage, StoreUnavailable>
  /** Turnover issued elsewhere, day by day of Belgrade. */
  readonly days: (tenant: Tenant, filter: ElsewhereFilter) => Effect.Effect<ReadonlyArray<ElsewhereDay>, StoreUnavailable>
  /**
   * Removes the receipts of a taxpayer that are older than so many days, with a line in the activity log; answers how many. They can be imported again:
   * the originals are their issuer's.
   */
  readonly remove: (act: Act, tenant: Tenant, taxpayerId: TaxpayerId, olderThanDays: number) => Effect.Effect<number, TaxpayerNotFound | StoreUnavailable>
}>()("@overa/domain/ports/ElsewhereReceipts") {}
