import type { LogFindingKind, Tenant } from "@overa/domain"
import { Array as Arr, Effect } from "effect"
import type { PgQueries } from "../PgDatabase.ts"
import * as sql from "./auditStatements.ts"
import { leavesOf, type LeafRow } from "./leafRows.ts"
import type { LogAudit } from "./LogAudit.ts"
import { pageEnd } from "./logStatements.ts"
import { readExtras } from "./readLeaves.ts"
import { noOperation } from "./sealingPosition.ts"

interface CountedRow {
  readonly operation_id: string
  readonly revision: number
  /** Transitions that are marked as sealed; releases before the positions marked them. */
  readonly claimed: number
  readonly leaves: number
  readonly passed: boolean
  readonly waiting: boolean
}

/** The finding for a document whose leaves differ from its row; null if the sealer has only not reached it yet. */
const findingOf = ({ claimed, leaves, passed, revision, waiting }: CountedRow, isReadable: boolean): readonly [LogFindingKind, string] | null => {
  if (leaves > revision) return ["ROW_CHANGED", `The row says that it has ${revision} transitions; the log has ${leaves}.`]
  if (claimed > leaves) return ["ROW_INSERTED", `The row says that ${claimed} of its transitions are sealed; the log has ${leaves}.`]
  if (!isReadable && (passed || waiting)) return ["NOT_SEALED", "The document's row cannot be read, so that its transitions cannot be sealed."]
  if (passed && leaves === 0) return ["ROW_INSERTED", "The sealer has read further and did not find this document."]
  if (passed) return ["ROW_CHANGED", `The log has ${leaves} of its ${revision} transitions, and the sealer has read further.`]
  return waiting ? ["NOT_SEALED", "The document has transitions that have waited over ten minutes to be sealed."] : null
}

/** Documents whose leaves are computed at once: the content of each may have a megabyte. */
const documentsAtOnce = 8

const unreadableOf = Effect.fnUntraced(function*(database: PgQueries, tenant: Tenant, ids: ReadonlyArray<string>) {
  const unreadable = new Set<string>()
  for (const some of Arr.chunksOf(ids, documentsAtOnce)) {
    const rows = yield* database.query<LeafRow>(sql.leafRowsById, [tenant.organizationId, some, tenant.environment])
    const extrasOf = yield* readExtras(database, tenant.organizationId, rows)
    for (const row of rows) if (leavesOf(row, extrasOf(row.operation_id)) === null) unreadable.add(row.operation_id)
  }
  return unreadable
})

/** Operations read by one statement: few enough for a server that reads each from a cold disk. */
const page = 2_000

const checkPage = Effect.fnUntraced(function*(database: PgQueries, tenant: Tenant, audit: LogAudit, after: string, last: string) {
  const rows = yield* database.query<CountedRow>(sql.miscounted, [tenant.organizationId, tenant.environment, after, last])
  const unreadable = yield* unreadableOf(database, tenant, rows.map((row) => row.operation_id))
  for (const row of rows) {
    const finding = findingOf(row, !unreadable.has(row.operation_id))
    if (finding !== null) audit.found(...finding, { documentId: row.operation_id })
  }
})

/** Finds documents that are not in the log, or not with all transitions. */
export const checkCounts = Effect.fnUntraced(function*(database: PgQueries, tenant: Tenant, audit: LogAudit) {
  for (let after = noOperation;;) {
    const [end] = yield* database.query<{ readonly last: string }>(pageEnd, [tenant.organizationId, after, page])
    if (end === undefined) return
    yield* checkPage(database, tenant, audit, after, end.last)
    after = end.last
  }
})
