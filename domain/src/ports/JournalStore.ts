import { Context, type Effect } from "effect"
import type { JournalCursor, JournalPlace } from "../journal/JournalCursor.ts"
import type { JournalFilter } from "../journal/JournalFilter.ts"
import type { JournalLine } from "../journal/JournalLine.ts"
import type { TurnoverQuery, TurnoverRow } from "../journal/turnover.ts"
import type { Operation } from "../operations/Operation.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { FiscalDocumentId } from "../tenancy/identifiers.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

/** Operations of one page, latest first; `nextCursor` is null at the end. */
export interface JournalPage {
  readonly items: ReadonlyArray<Operation>
  readonly nextCursor: JournalCursor | null
}

/**
 * The journal of a tenant: every operation of every status. `matchesJournalFilter` defines what a filter selects; `compareInJournal` defines the
 * order. Pages never show an operation twice and never leave out one that was stored when the first page was read, whatever is stored meanwhile.
 */
export class JournalStore extends Context.Service<JournalStore, {
  readonly page: (tenant: Tenant, filter: JournalFilter, place: JournalPlace) => Effect.Effect<JournalPage, StoreUnavailable>
  /** The operations that match, latest first, at most `most` of them. */
  readonly select: (tenant: Tenant, filter: JournalFilter, most: number) => Effect.Effect<ReadonlyArray<FiscalDocumentId>, StoreUnavailable>
  /** Every tax label on a line of the tenant's documents by id, sorted. */
  readonly labels: (tenant: Tenant, ids: ReadonlyArray<FiscalDocumentId>) => Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
  /** The lines of the tenant's documents by id, in the order of the ids, as the documents are now. */
  readonly lines: (tenant: Tenant, ids: ReadonlyArray<FiscalDocumentId>) => Effect.Effect<ReadonlyArray<JournalLine>, StoreUnavailable>
  /** The report over the receipts as of one moment. */
  readonly turnover: (tenant: Tenant, query: TurnoverQuery) => Effect.Effect<ReadonlyArray<TurnoverRow>, StoreUnavailable>
}>()("@overa/domain/ports/JournalStore") {}

/** The worker's upkeep that keeps searches and reports fast, not on a receipt's path. The journal is complete even if this never runs. */
export class JournalUpkeep extends Context.Service<JournalUpkeep, {
  /**
   * Adds operations created more than `marginMillis` ago, and receipts found since, to the search tables, and sums what an earlier release has added;
   * answers how many, at most about `limit`.
   */
  readonly advance: (options: { readonly marginMillis: number; readonly limit: number }) => Effect.Effect<number, StoreUnavailable>
}>()("@overa/domain/ports/JournalStore/JournalUpkeep") {}
