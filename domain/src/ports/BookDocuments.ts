import { Context, type DateTime, type Effect } from "effect"
import type { BookDocument } from "../books/BookDocument.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { FiscalDocumentId, TaxpayerId } from "../tenancy/identifiers.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** From its first moment up to the next month's, which is not in it. */
export interface Month {
  readonly from: DateTime.Utc
  readonly to: DateTime.Utc
}

/** What a month's book reads of a tenant's documents: only what its sheets show, so that a large month takes seconds. */
export class BookDocuments extends Context.Service<BookDocuments, {
  /** The tenant's documents by id, in the order of the ids, as the documents are now. */
  readonly read: (tenant: Tenant, ids: ReadonlyArray<FiscalDocumentId>) => Effect.Effect<ReadonlyArray<BookDocument>, StoreUnavailable>
  /** The receipts of a taxpayer with a PFR time in the month, oldest first, at most `most`. */
  readonly signed: (tenant: Tenant, taxpayerId: TaxpayerId, month: Month, most: number) => Effect.Effect<ReadonlyArray<FiscalDocumentId>, StoreUnavailable>
  /** What a taxpayer asked for in the month and what is told as REJECTED, oldest first, at most `most`. */
  readonly rejected: (tenant: Tenant, taxpayerId: TaxpayerId, month: Month, most: number) => Effect.Effect<ReadonlyArray<FiscalDocumentId>, StoreUnavailable>
  /**
   * The Advance documents that are receipts with a PFR time before `before`, of every case whose Sales then differ in amount from its Refunds; oldest PFR time
   * first, at most `most`.
   */
  readonly openAdvances: (tenant: Tenant, taxpayerId: TaxpayerId, before: DateTime.Utc, most: number) => Effect.Effect<ReadonlyArray<FiscalDocumentId>, StoreUnavailable>
}>()("@overa/domain/ports/BookDocuments") {}
