import type { Tenant } from "@overa/domain"
import { Effect, Fiber } from "effect"
import type { PgQueries } from "../PgDatabase.ts"
import * as sql from "./auditStatements.ts"
import { isAsErased } from "./erasureNote.ts"
import type { JournalKeys } from "./JournalKeys.ts"
import { leavesOf, type LeafRow } from "./leafRows.ts"
import type { LogAudit } from "./LogAudit.ts"
import { leafTextHash } from "./nodeSha256.ts"
import { readExtras } from "./readLeaves.ts"
import { sameHash, type StoredTree } from "./storedTree.ts"

interface EntryRow extends Omit<LeafRow, "operation_id"> {
  readonly entry_id: string
  /** Null where the document is missing. */
  readonly operation_id: string | null
  readonly first_position: number
  readonly first_index: bigint
  readonly leaves: number
}

const hasDocument = (row: EntryRow): row is EntryRow & LeafRow => row.operation_id !== null

const timeMark = '"at":"'

/** The time of a leaf's transition: members are in alphabetical order, and a quotation mark within a text is escaped. */
const happenedAt = (leaf: string): number => {
  const from = leaf.indexOf(timeMark) + timeMark.length
  return Date.parse(leaf.slice(from, from + "2026-01-01T00:00:00.000Z".length))
}

const compareEntry = (audit: LogAudit, row: EntryRow, computed: ReadonlyArray<string> | null, stored: StoredTree): void => {
  const [first, documentId] = [Number(row.first_index), row.entry_id]
  if (first > audit.index) audit.found("ENTRY_MISSING", `Leaves ${audit.index} to ${first - 1} belong to no document.`, { index: audit.index })
  if (first < audit.index) audit.found("TREE_CHANGED", "Two documents claim the same leaf.", { documentId, index: first })
  audit.index = first + row.leaves
  if (!hasDocument(row)) return audit.found("ROW_REMOVED", "The document was sealed and is missing.", { documentId, index: first })
  if (computed === null) return audit.found("ROW_CHANGED", "The document's history cannot be read, or is not as long as the row says.", { documentId, index: first })
  for (let at = 0; at < row.leaves; at += 1) {
    const [index, leaf] = [first + at, computed[row.first_position - 1 + at]]
    audit.compared += 1
    if (leaf === undefined || !sameHash(stored.at(0, index), leafTextHash(leaf))) {
      audit.found("ROW_CHANGED", `Transition ${row.first_position + at} differs from what was sealed.`, { documentId, index })
    } else if (audit.isLate(index, happenedAt(leaf))) {
      audit.found("ROW_INSERTED", `Transition ${row.first_position + at} was sealed long after checkpoints that should have contained it.`, { documentId, index })
    }
  }
}

const readEntries = Effect.fnUntraced(function*(database: PgQueries, tenant: Tenant, from: number, size: number) {
  const rows = yield* database.query<EntryRow>(sql.entriesFrom, [tenant.organizationId, tenant.environment, from, size])
  return { rows, extrasOf: yield* readExtras(database, tenant.organizationId, rows.filter(hasDocument)) }
})

const leftOtherwise = "The document differs from what an erasure left of it, or no key of this installation has signed the erasure."

const checkErasure = (audit: LogAudit, row: EntryRow, keys: JournalKeys): void => {
  if (!hasDocument(row) || row.first_position !== 1 || row.erased_note === null) return
  audit.erased += 1
  if (!isAsErased(keys, row)) audit.found("ROW_CHANGED", leftOtherwise, { documentId: row.entry_id })
}

/** How much of a log is compared, and the keys that sign erasures. */
interface Compared {
  readonly size: number
  readonly keys: JournalKeys
}

/**
 * Compares each of a log's first `size` leaves with its document's row. The server reads the next documents during the comparison. What is sealed
 * after the comparison began is not compared.
 */
export const compareEntries = Effect.fnUntraced(function*(database: PgQueries, tenant: Tenant, audit: LogAudit, stored: StoredTree, { keys, size }: Compared) {
  let reading = yield* Effect.forkChild(readEntries(database, tenant, 0, size))
  for (;;) {
    const { extrasOf, rows } = yield* Fiber.join(reading)
    const last = rows.at(-1)
    if (last === undefined) return
    reading = yield* Effect.forkChild(readEntries(database, tenant, Number(last.first_index) + 1, size))
    // The query must be sent before the comparison occupies the thread.
    yield* Effect.sleep(0)
    for (const row of rows) {
      checkErasure(audit, row, keys)
      compareEntry(audit, row, hasDocument(row) ? leavesOf(row, extrasOf(row.entry_id)) : null, stored)
    }
  }
})

/** Looks for entries that claim a place behind the end of the log. */
export const checkBeyond = Effect.fnUntraced(function*(database: PgQueries, tenant: Tenant, audit: LogAudit, size: number) {
  const rows = yield* database.query<{ readonly operation_id: string; readonly first_index: bigint }>(sql.entriesBeyond, [
    tenant.organizationId, tenant.environment, size
  ])
  for (const { first_index: index, operation_id: documentId } of rows) {
    audit.found("ROW_INSERTED", "The document claims leaves behind the end of the log.", { documentId, index: Number(index) })
  }
})
