import { Context, type Effect } from "effect"
import type { LogPlace } from "../journal-log/LogPlace.ts"
import type { TreeHash } from "../journal-log/merkle.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { FiscalDocumentId } from "../tenancy/identifiers.ts"
import type { StoreUnavailable } from "./StoreUnavailable.ts"

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
