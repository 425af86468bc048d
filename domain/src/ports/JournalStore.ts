import { type BigDecimal, Context, type DateTime, type Effect, type Option } from "effect"
import type { LogReport } from "../journal-log/LogFinding.ts"
import type { LogPlace } from "../journal-log/LogPlace.ts"
import type { TreeHash } from "../journal-log/merkle.ts"
import type { JournalCursor, JournalPlace } from "../journal/JournalCursor.ts"
import type { JournalFilter } from "../journal/JournalFilter.ts"
import type { FoundDocument } from "../journal/foundDocuments.ts"
import type { JournalLine } from "../journal/JournalLine.ts"
import type { SidesReport } from "../journal/salesAndRefunds.ts"
import type { TurnoverQuery, TurnoverRow } from "../journal/turnover.ts"
import type { Operation } from "../operations/Operation.ts"
import type { RequestFaults } from "../requests/Fault.ts"
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
  /** The report over the receipts as of one moment. Fails with `RequestFaults` where it would have more than `mostTurnoverRows` rows, and reads few more. */
  readonly turnover: (tenant: Tenant, query: TurnoverQuery) => Effect.Effect<ReadonlyArray<TurnoverRow>, RequestFaults | StoreUnavailable>
  /** The same report with sales and refunds counted apart, and its total, also as of one moment, and refused like it. */
  readonly salesAndRefunds: (tenant: Tenant, query: TurnoverQuery) => Effect.Effect<SidesReport, RequestFaults | StoreUnavailable>
}>()("@overa/domain/ports/JournalStore") {}

/** The worker's upkeep that keeps searches and reports fast, not on a receipt's path. The journal is complete even if this never runs. */
export class JournalUpkeep extends Context.Service<JournalUpkeep, {
  /**
   * Adds operations created more than `marginMillis` ago, and receipts found since, to the search tables, and sums what an earlier release has added;
   * answers how many, at most about `limit`.
   */
  readonly advance: (options: { readonly marginMillis: number; readonly limit: number }) => Effect.Effect<number, StoreUnavailable>
}>()("@overa/domain/ports/JournalStore/JournalUpkeep") {}

/** The last checkpoint of a log. */
export interface SignedCheckpoint {
  readonly origin: string
  readonly size: number
  /** The verifier key of the note's signature, as `LogPlace` has it. */
  readonly publicKey: string
  /** The signed note (C2SP tlog-checkpoint), with its last line feed. */
  readonly note: string
}

/**
 * The transparency log of a tenant's journal: a Merkle tree (RFC 6962) whose leaves are the transitions of its documents, and which only grows.
 * Reads are held to organization and environment. Source: Decisions §14.
 *
 * @example
 * const place = yield* (yield* JournalLog).entriesOf(tenant, documentId)
 */
export class JournalLog extends Context.Service<JournalLog, {
  /** An empty log has one too, of size 0. */
  readonly checkpoint: (tenant: Tenant) => Effect.Effect<SignedCheckpoint, StoreUnavailable>
  /**
   * The hashes that prove that the tree of `to` leaves begins with the tree of `from` leaves (RFC 6962 §2.1.2). `from` is at most `to`, and `to`
   * at most the size of the last checkpoint.
   */
  readonly consistency: (tenant: Tenant, from: number, to: number) => Effect.Effect<ReadonlyArray<TreeHash>, StoreUnavailable>
  /**
   * The sealed transitions of a document under the log's latest checkpoint. Null while none of them is sealed, and where the tenant has no
   * such document.
   */
  readonly entriesOf: (tenant: Tenant, id: FiscalDocumentId) => Effect.Effect<LogPlace | null, StoreUnavailable>
  /** Verifier keys of every key that has signed checkpoints of this installation, the one that signs now first. */
  readonly verifierKeys: Effect.Effect<ReadonlyArray<string>, StoreUnavailable>
}>()("@overa/domain/ports/JournalLog") {}

/** The result of a pass over the logs. */
export interface SealingPass {
  /** Leaves added over all tenants. */
  readonly added: number
  /** The longest time that a transition had waited when it was sealed, in milliseconds; 0 if none was sealed. */
  readonly waitedMillis: number
}

/**
 * The worker's part of the log, not on a receipt's path: committed transitions get the next places, and the new state of the log is signed. A
 * transition that is committed late gets a later place; what was signed never changes. Any number of workers may seal at once: each transition is
 * sealed by one of them.
 */
export class JournalSealer extends Context.Service<JournalSealer, {
  /** Adds leaves; for one tenant not many more than `limit`. */
  readonly seal: (options: { readonly limit: number }) => Effect.Effect<SealingPass, StoreUnavailable>
}>()("@overa/domain/ports/JournalLog/JournalSealer") {}

/** The verification of the journal's logs against the rows they were made from, for an operator. Reads only. */
export class JournalAudit extends Context.Service<JournalAudit, {
  /** Every log of the installation, one after another. */
  readonly verify: Effect.Effect<ReadonlyArray<LogReport>, StoreUnavailable>
}>()("@overa/domain/ports/JournalAudit") {}

/** Watches that the counters of each element's receipts are consecutive. Source: Decisions §14, Counters. */
export class CounterWatch extends Context.Service<CounterWatch, {
  /** Raises gaps on the attention list (`COUNTER_GAP`), each once; how many. Any number of workers may check at once. */
  readonly check: Effect.Effect<number, StoreUnavailable>
}>()("@overa/domain/ports/CounterWatch") {}

/** The refunds of one day. */
export interface DayOfRefunds {
  /** The Belgrade day of their PFR time, `2026-08-29`. */
  readonly day: string
  readonly receipts: number
  /** Given back, in dinars; positive. */
  readonly amount: BigDecimal.BigDecimal
}

/** How many receipts a tenant has issued. It informs and never blocks (Spec, Authentication 8; Decisions §2). */
export class DocumentCounts extends Context.Service<DocumentCounts, {
  /** FISCALIZED documents whose PFR time lies in the range; lower bound inclusive, upper exclusive. */
  readonly fiscalized: (
    tenant: Tenant,
    range: { readonly from: DateTime.Utc; readonly to: DateTime.Utc }
  ) => Effect.Effect<number, StoreUnavailable>
  /** FISCALIZED refunds of Normal and Advance receipts with their PFR time in the range, by day; days without any are left out. */
  readonly refunds: (
    tenant: Tenant,
    range: { readonly from: DateTime.Utc; readonly to: DateTime.Utc }
  ) => Effect.Effect<ReadonlyArray<DayOfRefunds>, StoreUnavailable>
}>()("@overa/domain/ports/DocumentCounts") {}

/**
 * A tenant's documents for a person who browses them, newest first. Every read is fast whatever the size of the store, because identifiers are in the
 * order of creation.
 */
export class RecentDocuments extends Context.Service<RecentDocuments, {
  /** Documents created before `before`, all when it is null. */
  readonly page: (
    tenant: Tenant,
    before: FiscalDocumentId | null,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Operation>, StoreUnavailable>
  /** Refunds of these documents and the copies that customers sign, in every status. */
  readonly refundsOf: (
    tenant: Tenant,
    originals: ReadonlyArray<FiscalDocumentId>,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Operation>, StoreUnavailable>
  /** What searches show of the tenant's documents by id, as the documents are now, in the order of the ids. */
  readonly found: (tenant: Tenant, ids: ReadonlyArray<FiscalDocumentId>) => Effect.Effect<ReadonlyArray<FoundDocument>, StoreUnavailable>
  /** The receipt with exactly this PFR number. */
  readonly withNumber: (tenant: Tenant, pfrNumber: string) => Effect.Effect<Option.Option<Operation>, StoreUnavailable>
}>()("@overa/domain/ports/RecentDocuments") {}
