import type { Environment } from "../tenancy/Environment.ts"
import type { FiscalDocumentId, OrganizationId } from "../tenancy/identifiers.ts"

/**
 * What does not fit the log:
 * - `ROW_CHANGED`: a document's row differs from what was sealed, or cannot be read.
 * - `ROW_REMOVED`: a sealed document is missing.
 * - `ROW_INSERTED`: a row that claims to be sealed and is not, or transitions sealed long after checkpoints that should have contained them.
 * - `NOT_SEALED`: transitions that have been waiting long and are not in the log: the worker does not run, or cannot read the row.
 * - `ENTRY_MISSING`: leaves that no document claims.
 * - `TREE_CHANGED`: the log's own hashes were changed.
 * - `CHECKPOINT_CHANGED`: a stored checkpoint is not signed by a key of this installation, or signs another tree.
 */
export type LogFindingKind = "ROW_CHANGED" | "ROW_REMOVED" | "ROW_INSERTED" | "NOT_SEALED" | "ENTRY_MISSING" | "TREE_CHANGED" | "CHECKPOINT_CHANGED"

/** One thing that does not fit. */
export interface LogFinding {
  readonly kind: LogFindingKind
  readonly documentId: FiscalDocumentId | null
  /** Place in the log, where the finding has one. */
  readonly index: number | null
  readonly detail: string
}

/** What the verification of one log found. */
export interface LogReport {
  readonly organizationId: OrganizationId
  readonly environment: Environment
  readonly origin: string
  /** Leaves that were computed from the rows and compared. */
  readonly leaves: number
  /** Documents from which personal data was erased. Their leaves are computed from digests that the log's key has signed. */
  readonly erased: number
  readonly checkpoints: number
  /** The first of them; `findingCount` counts all. */
  readonly findings: ReadonlyArray<LogFinding>
  readonly findingCount: number
}
