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

/** What an export will hold. */
export interface JournalSelection {
  /** Latest first. */
  readonly ids: ReadonlyArray<FiscalDocumentId>
  /** Every tax label on a line of them, sorted. */
  readonly labels: ReadonlyArray<string>
}

/**
 * The journal of a tenant: every operation of every status. What a filter asks for is what `matchesJournalFilter` says; the order is
 * `compareInJournal`. Pages never show an operation twice and never leave one out that was stored when the first page was read,
 * whatever is stored meanwhile.
 */
export class JournalStore extends Context.Service<JournalStore, {
  readonly page: (tenant: Tenant, filter: JournalFilter, place: JournalPlace) => Effect.Effect<JournalPage, StoreUnavailable>
  /** The operations that match, at most `most` of them. */
  readonly select: (tenant: Tenant, filter: JournalFilter, most: number) => Effect.Effect<JournalSelection, StoreUnavailable>
  /** The lines of the tenant's documents by id, in the order of the ids, as the documents are now. */
  readonly lines: (tenant: Tenant, ids: ReadonlyArray<FiscalDocumentId>) => Effect.Effect<ReadonlyArray<JournalLine>, StoreUnavailable>
  /** The report over the receipts as they are at one moment. */
  readonly turnover: (tenant: Tenant, query: TurnoverQuery) => Effect.Effect<ReadonlyArray<TurnoverRow>, StoreUnavailable>
}>()("@overa/domain/ports/JournalStore") {}

/**
 * What the worker does so that searches and reports stay fast, away from the path of a receipt. The journal is complete whether or
 * not it ever runs.
 */
export class JournalUpkeep extends Context.Service<JournalUpkeep, {
  /** Takes in operations that were made more than `marginMillis` ago and receipts found since; how many, at most about `limit`. */
  readonly advance: (options: { readonly marginMillis: number; readonly limit: number }) => Effect.Effect<number, StoreUnavailable>
}>()("@overa/domain/ports/JournalStore/JournalUpkeep") {}
