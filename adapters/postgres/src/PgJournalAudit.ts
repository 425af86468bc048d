import { hashLength, JournalAudit, leafHash, type LogReport, openCheckpoint, rootOf, type StoreUnavailable, type Tenant, tileHeight, type TreeHash, unpackTile } from "@overa/domain"
import { Effect, Fiber, Layer } from "effect"
import * as sql from "./journal-log/auditStatements.ts"
import { type JournalKeys, originOf, readJournalKeys } from "./journal-log/JournalKeys.ts"
import { leavesOf, type LeafRow } from "./journal-log/leafRows.ts"
import { LogAudit, type StoredCheckpoint } from "./journal-log/LogAudit.ts"
import { nodeSha256 } from "./journal-log/nodeSha256.ts"
import { readExtras } from "./journal-log/readLeaves.ts"
import { PgDatabase, type PgQueries } from "./PgDatabase.ts"
import { type PgFailure, toStoreUnavailable } from "./PgFailure.ts"
import type { Secrets } from "./Secrets.ts"

const tileWidth = 2 ** tileHeight

interface EntryRow extends Omit<LeafRow, "operation_id"> {
  readonly entry_id: string
  /** Null where the document is missing. */
  readonly operation_id: string | null
  readonly first_position: number
  readonly first_index: bigint
  readonly leaves: number
}

const hasDocument = (row: EntryRow): row is EntryRow & LeafRow => row.operation_id !== null

const utf8 = new TextEncoder()
const same = (one: TreeHash | undefined, other: TreeHash): boolean => one !== undefined && Buffer.compare(one, other) === 0

const readCheckpoints = Effect.fnUntraced(function*(database: PgQueries, tenant: Tenant, keys: JournalKeys) {
  const origin = originOf(keys.name, tenant)
  const rows = yield* database.query<{ readonly size: bigint; readonly note: string; readonly signed_at: Date }>(
    sql.allCheckpoints, [tenant.organizationId, tenant.environment]
  )
  return rows.map(({ note, signed_at, size }): StoredCheckpoint => ({
    size: Number(size),
    signedAt: signed_at.getTime(),
    opened: openCheckpoint(note, keys.known, origin)
  }))
})

/** Tiles by position, packed as they are stored: a log may have many. */
type Level = Map<number, Uint8Array>

const readLevel = Effect.fnUntraced(function*(database: PgQueries, tenant: Tenant, level: number) {
  const found: Level = new Map()
  for (let read = sql.tilesAtOnce, from = 0; read === sql.tilesAtOnce;) {
    const rows = yield* database.query<{ readonly position: bigint; readonly hashes: Uint8Array }>(sql.tilesFrom, [
      tenant.organizationId, tenant.environment, level, from
    ])
    for (const { hashes, position } of rows) found.set(Number(position), new Uint8Array(hashes))
    read = rows.length
    from = Number(rows.at(-1)?.position ?? 0) + 1
  }
  return found
})

const hashAt = (level: Level, index: number): TreeHash | undefined => {
  const [tile, at] = [level.get(Math.floor(index / tileWidth)), (index % tileWidth) * hashLength]
  return tile === undefined || tile.length < at + hashLength ? undefined : tile.subarray(at, at + hashLength)
}

/** Each level must be the roots of the full tiles below it. */
const checkLevels = (audit: LogAudit, levels: ReadonlyArray<Level>): void => {
  for (const [at, level] of levels.slice(0, -1).entries()) {
    for (const [position, tile] of level) {
      if (tile.length < tileWidth * hashLength) continue
      if (!same(hashAt(levels[at + 1] ?? new Map(), position), rootOf(unpackTile(tile), nodeSha256))) {
        audit.found("TREE_CHANGED", `Tile ${position} of level ${at} and the hash above it do not agree.`, { index: position * tileWidth ** (at + 1) })
      }
    }
  }
}

const growTree = (audit: LogAudit, leaves: Level, size: number): void => {
  for (let index = 0; index < size; index += 1) {
    const stored = hashAt(leaves, index)
    if (stored === undefined) return
    audit.grow(stored)
  }
}

const timeMark = '"at":"'

/** The time of a leaf's transition: members are in alphabetical order, and a quotation mark within a text is escaped. */
const happenedAt = (leaf: string): number => {
  const from = leaf.indexOf(timeMark) + timeMark.length
  return Date.parse(leaf.slice(from, from + "2026-01-01T00:00:00.000Z".length))
}

const compareEntry = (audit: LogAudit, row: EntryRow, computed: ReadonlyArray<string> | null, stored: Level): void => {
  const [first, documentId] = [Number(row.first_index), row.entry_id]
  if (first > audit.index) audit.found("ENTRY_MISSING", `Leaves ${audit.index} to ${first - 1} belong to no document.`, { index: audit.index })
  if (first < audit.index) audit.found("TREE_CHANGED", "Two documents claim the same leaf.", { documentId, index: first })
  audit.index = first + row.leaves
  if (!hasDocument(row)) return audit.found("ROW_REMOVED", "The document was sealed and is missing.", { documentId, index: first })
  if (computed === null) return audit.found("ROW_CHANGED", "The document's history cannot be read, or is not as long as the row says.", { documentId, index: first })
  for (let at = 0; at < row.leaves; at += 1) {
    const [index, leaf] = [first + at, computed[row.first_position - 1 + at]]
    audit.compared += 1
    if (leaf === undefined || !same(hashAt(stored, index), leafHash(utf8.encode(leaf), nodeSha256))) {
      audit.found("ROW_CHANGED", `Transition ${row.first_position + at} differs from what was sealed.`, { documentId, index })
    } else if (audit.isLate(index, happenedAt(leaf))) {
      audit.found("ROW_INSERTED", `Transition ${row.first_position + at} was sealed long after checkpoints that should have contained it.`, { documentId, index })
    }
  }
}

const readEntries = Effect.fnUntraced(function*(database: PgQueries, tenant: Tenant, from: number) {
  const rows = yield* database.query<EntryRow>(sql.entriesFrom, [tenant.organizationId, tenant.environment, from])
  return { rows, extrasOf: yield* readExtras(database, tenant.organizationId, rows.filter(hasDocument)) }
})

/** The server reads the next documents while these are compared. */
const compareEntries = Effect.fnUntraced(function*(database: PgQueries, tenant: Tenant, audit: LogAudit, stored: Level) {
  let reading = yield* Effect.forkChild(readEntries(database, tenant, 0))
  for (let batch = sql.auditBatch; batch === sql.auditBatch;) {
    const { extrasOf, rows } = yield* Fiber.join(reading)
    batch = rows.length
    if (batch === sql.auditBatch) {
      reading = yield* Effect.forkChild(readEntries(database, tenant, Number(rows.at(-1)?.first_index ?? 0) + 1))
      // The query must be sent before the comparison occupies the thread.
      yield* Effect.sleep(0)
    }
    for (const row of rows) compareEntry(audit, row, hasDocument(row) ? leavesOf(row, extrasOf(row.entry_id)) : null, stored)
  }
})

const checkCounts = Effect.fnUntraced(function*(database: PgQueries, tenant: Tenant, audit: LogAudit) {
  const scope = [tenant.organizationId, tenant.environment]
  for (const row of yield* database.query<{ readonly operation_id: string; readonly sealed: number; readonly leaves: number }>(sql.miscounted, scope)) {
    const kind = row.sealed > row.leaves ? "ROW_INSERTED" : "ROW_CHANGED"
    audit.found(kind, `The row says that ${row.sealed} of its transitions are sealed; the log has ${row.leaves}.`, { documentId: row.operation_id })
  }
  for (const row of yield* database.query<{ readonly operation_id: string }>(sql.waitingLong, scope)) {
    audit.found("NOT_SEALED", "The document has transitions that have waited over ten minutes to be sealed.", { documentId: row.operation_id })
  }
})

const auditLog = Effect.fnUntraced(function*(database: PgQueries, tenant: Tenant, keys: JournalKeys) {
  // The rows are read after the head of the log, so everything sealed meanwhile is after it.
  const [head] = yield* database.query<{ readonly size: bigint }>(
    "select size from journal_logs where organization_id = $1 and environment = $2", [tenant.organizationId, tenant.environment]
  )
  const size = Number(head?.size ?? 0)
  const checkpoints = (yield* readCheckpoints(database, tenant, keys)).filter((checkpoint) => checkpoint.size <= size || checkpoint.opened === null)
  const audit = new LogAudit(checkpoints)
  const levels: Array<Level> = []
  for (let [level, hashes] = [0, size]; hashes > 0; [level, hashes] = [level + 1, Math.floor(hashes / tileWidth)]) levels.push(yield* readLevel(database, tenant, level))
  const leaves: Level = levels[0] ?? new Map()
  checkLevels(audit, levels)
  growTree(audit, leaves, size)
  yield* compareEntries(database, tenant, audit, leaves)
  yield* checkCounts(database, tenant, audit)
  audit.finish(size)
  return {
    ...tenant,
    origin: originOf(keys.name, tenant),
    leaves: audit.compared,
    checkpoints: checkpoints.length,
    findings: audit.findings,
    findingCount: audit.findingCount
  } satisfies LogReport
})

const make = Effect.fnUntraced(function*(secrets: Secrets) {
  const database = yield* PgDatabase
  const reading = <A, R>(effect: Effect.Effect<A, PgFailure | StoreUnavailable, R>) => Effect.catchTag(effect, "PgFailure", toStoreUnavailable)
  return JournalAudit.of({
    verify: Effect.gen(function*() {
      const keys = yield* readJournalKeys(database, secrets)
      const tenants = yield* database.read<{ readonly organization_id: string; readonly environment: string }>(sql.allLogs)
      const waiting = yield* database.read<{ readonly organization_id: string; readonly environment: string }>(sql.tenantsWithoutLog)
      return yield* Effect.forEach([...tenants, ...waiting], (row) =>
        reading(auditLog(database, { organizationId: row.organization_id, environment: row.environment } as Tenant, keys))
      )
    }).pipe(Effect.withSpan("JournalAudit.verify"))
  })
})

/** Compares the logs with their rows. */
export const layerJournalAudit = (secrets: Secrets): Layer.Layer<JournalAudit, never, PgDatabase> => Layer.effect(JournalAudit, make(secrets))
