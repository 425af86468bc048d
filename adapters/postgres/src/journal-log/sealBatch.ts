import { appendLeaves, edgePlaces, packTile, type Tenant } from "@overa/domain"
import { Effect } from "effect"
import { noteReceiptsFoundSince } from "../journal/receiptsFoundSince.ts"
import { noteCounters } from "../PgCounterWatch.ts"
import type { PgStatements } from "../PgDatabase.ts"
import { type JournalKeys, originOf } from "./JournalKeys.ts"
import { leavesOf } from "./leafRows.ts"
import * as sql from "./logStatements.ts"
import { leafTextHash, nodeSha256 } from "./nodeSha256.ts"
import { readExtras } from "./readLeaves.ts"
import { readTiles } from "./readTiles.ts"
import { putPosition, readPosition, type SealingMoment } from "./sealingPosition.ts"
import { readUnsealed, type UnsealedRow } from "./unsealedRows.ts"

/** Documents sealed by one commit. */
const atOnce = 1_000

/** The new leaves of one document. */
interface Sealed {
  readonly row: UnsealedRow
  readonly leaves: ReadonlyArray<string>
}

/** The number of leaves that one commit added, and whether more can be sealed at once. */
export interface SealedBatch {
  readonly added: number
  readonly waitedMillis: number
  readonly more: boolean
}

const nothing: SealedBatch = { added: 0, waitedMillis: 0, more: false }

/** A row with an unreadable history is left out: `journal verify` reports it. */
const newLeaves = Effect.fnUntraced(function*(tx: PgStatements, tenant: Tenant, rows: ReadonlyArray<UnsealedRow>) {
  const extrasOf = yield* readExtras(tx, tenant.organizationId, rows)
  return rows.flatMap((row): ReadonlyArray<Sealed> => {
    const leaves = leavesOf(row, extrasOf(row.operation_id))?.slice(row.taken)
    return leaves === undefined || leaves.length === 0 ? [] : [{ row, leaves }]
  })
})

const insertEntries = (tx: PgStatements, tenant: Tenant, size: number, sealed: ReadonlyArray<Sealed>) => {
  let index = size
  const firstIndexes = sealed.map(({ leaves }) => (index += leaves.length) - leaves.length)
  return tx.query(sql.insertEntries, [
    tenant.organizationId,
    tenant.environment,
    sealed.map(({ row }) => row.operation_id),
    sealed.map(({ row }) => row.taken + 1),
    firstIndexes,
    sealed.map(({ leaves }) => leaves.length)
  ])
}

const growTree = Effect.fnUntraced(function*(tx: PgStatements, tenant: Tenant, size: number, leaves: ReadonlyArray<string>) {
  const added = leaves.map(leafTextHash)
  const grown = appendLeaves({ size, edge: yield* readTiles(tx, tenant, edgePlaces(size)), added }, nodeSha256)
  yield* tx.query(sql.putTiles, [
    tenant.organizationId,
    tenant.environment,
    grown.tiles.map(({ level }) => level),
    grown.tiles.map(({ position }) => position),
    grown.tiles.map(({ hashes }) => packTile(hashes))
  ])
  return grown
})

const appendToLog = Effect.fnUntraced(function*(tx: PgStatements, tenant: Tenant, keys: JournalKeys, size: number, sealed: ReadonlyArray<Sealed>, now: Date) {
  const scope = [tenant.organizationId, tenant.environment]
  yield* insertEntries(tx, tenant, size, sealed)
  const grown = yield* growTree(tx, tenant, size, sealed.flatMap((one) => one.leaves))
  const [moved] = yield* tx.query(sql.growLog, [...scope, size, grown.size])
  if (moved === undefined) return yield* Effect.die(new Error("a log grew under the lock of its head"))
  const note = keys.sign({ origin: originOf(keys.name, tenant), size: grown.size, root: grown.root })
  yield* tx.query(sql.insertCheckpoint, [...scope, grown.size, note, now])
  return grown.size - size
})

/** The size of the log, with the row lock of its head; undefined if another worker seals it. */
const lockedSize = Effect.fnUntraced(function*(tx: PgStatements, scope: ReadonlyArray<string>) {
  const [head] = yield* tx.query<{ readonly size: bigint }>(sql.lockLog, scope)
  if (head !== undefined) return Number(head.size)
  const [opened] = yield* tx.query<{ readonly size: bigint }>(sql.openLog, scope)
  return opened === undefined ? undefined : Number(opened.size)
})

/** One commit: leaves, tree, head, checkpoint and position are stored together or not at all. */
export const sealBatch = Effect.fnUntraced(function*(tx: PgStatements, tenant: Tenant, keys: JournalKeys, cluster: string) {
  const size = yield* lockedSize(tx, [tenant.organizationId, tenant.environment])
  if (size === undefined) return nothing
  const [running] = yield* tx.query<SealingMoment>(sql.runningTransactions)
  if (running === undefined) return yield* Effect.die(new Error("a query without a row"))
  const before = yield* readPosition(tx, tenant, cluster, running)
  const { more, position, rows } = yield* readUnsealed(tx, tenant, before, running, atOnce)
  const sealed = rows.length === 0 ? [] : yield* newLeaves(tx, tenant, rows)
  const added = sealed.length === 0 ? 0 : yield* appendToLog(tx, tenant, keys, size, sealed, running.now)
  yield* noteCounters(tx, tenant, rows)
  yield* noteReceiptsFoundSince(tx, tenant, rows)
  yield* putPosition(tx, tenant, position)
  // While a transaction still runs, unreadable rows after its number would be read again at once.
  const stands = added === 0 && position === before
  return { added, more: more && !stands, waitedMillis: rows.reduce((longest, row) => Math.max(longest, row.waited_millis), 0) } satisfies SealedBatch
})
