import { appendLeaves, edgePlaces, JournalSealer, leafHash, packTile, type Tenant } from "@overa/domain"
import { DateTime, Effect, Layer } from "effect"
import { nodeSha256 } from "./journal-log/nodeSha256.ts"
import { type JournalKeys, originOf, readJournalKeys } from "./journal-log/JournalKeys.ts"
import { leavesOf, type LeafRow } from "./journal-log/leafRows.ts"
import * as sql from "./journal-log/logStatements.ts"
import { readExtras } from "./journal-log/readLeaves.ts"
import { readTiles } from "./journal-log/readTiles.ts"
import { noteCounters } from "./PgCounterWatch.ts"
import { PgDatabase, type PgStatements } from "./PgDatabase.ts"
import type { Secrets } from "./Secrets.ts"

/** Documents sealed by one commit. */
const atOnce = 500

/** The new leaves of one document. */
interface Sealed {
  readonly row: LeafRow
  readonly leaves: ReadonlyArray<string>
}

/** What can be sealed of the rows that were read. A row whose history cannot be read is left out: `journal verify` names it. */
const newLeaves = Effect.fnUntraced(function*(tx: PgStatements, tenant: Tenant) {
  const rows = yield* tx.query<LeafRow>(sql.unsealedRows, [tenant.organizationId, tenant.environment, atOnce])
  const extrasOf = yield* readExtras(tx, tenant.organizationId, rows)
  const found = rows.flatMap((row): ReadonlyArray<Sealed> => {
    const leaves = leavesOf(row, extrasOf(row.operation_id))?.slice(row.sealed)
    return leaves === undefined || leaves.length === 0 ? [] : [{ row, leaves }]
  })
  return { found, read: rows.length }
})

const markSealed = Effect.fnUntraced(function*(tx: PgStatements, tenant: Tenant, found: ReadonlyArray<Sealed>) {
  const moved = yield* tx.query<{ readonly operation_id: string }>(sql.markSealed, [
    tenant.organizationId,
    found.map(({ row }) => row.operation_id),
    found.map(({ row }) => row.sealed),
    found.map(({ row }) => row.revision)
  ])
  const ids = new Set(moved.map((row) => row.operation_id))
  // A document that changed between the two statements is sealed by the next pass.
  return found.filter(({ row }) => ids.has(row.operation_id))
})

const insertEntries = (tx: PgStatements, tenant: Tenant, size: number, sealed: ReadonlyArray<Sealed>) => {
  let index = size
  const firstIndexes = sealed.map(({ leaves }) => (index += leaves.length) - leaves.length)
  return tx.query(sql.insertEntries, [
    tenant.organizationId,
    tenant.environment,
    sealed.map(({ row }) => row.operation_id),
    sealed.map(({ row }) => row.sealed + 1),
    firstIndexes,
    sealed.map(({ leaves }) => leaves.length)
  ])
}

const utf8 = new TextEncoder()

const growTree = Effect.fnUntraced(function*(tx: PgStatements, tenant: Tenant, size: number, leaves: ReadonlyArray<string>) {
  const added = leaves.map((leaf) => leafHash(utf8.encode(leaf), nodeSha256))
  const grown = appendLeaves({ size, edge: yield* readTiles(tx, tenant, edgePlaces(size)), added }, nodeSha256)
  for (const { hashes, level, position } of grown.tiles) {
    yield* tx.query(sql.putTile, [tenant.organizationId, tenant.environment, level, position, packTile(hashes)])
  }
  return grown
})

/** One commit: leaves, tree, head and checkpoint together or none of them. Answers how many documents were read and how many leaves were added. */
const sealBatch = Effect.fnUntraced(function*(tx: PgStatements, tenant: Tenant, keys: JournalKeys) {
  const scope = [tenant.organizationId, tenant.environment]
  yield* tx.query(sql.openLog, scope)
  const [head] = yield* tx.query<{ readonly size: bigint }>(sql.lockLog, scope)
  if (head === undefined) return { read: 0, added: 0 }
  const size = Number(head.size)
  const { found, read } = yield* newLeaves(tx, tenant)
  const sealed = found.length === 0 ? [] : yield* markSealed(tx, tenant, found)
  if (sealed.length === 0) return { read: 0, added: 0 }
  const leaves = sealed.flatMap((one) => one.leaves)
  yield* insertEntries(tx, tenant, size, sealed)
  const grown = yield* growTree(tx, tenant, size, leaves)
  const [moved] = yield* tx.query(sql.growLog, [...scope, size, grown.size])
  if (moved === undefined) return yield* Effect.die(new Error("a log grew under the lock of its head"))
  yield* noteCounters(tx, tenant, sealed.map(({ row }) => row))
  const note = keys.sign({ origin: originOf(keys.name, tenant), size: grown.size, root: grown.root })
  yield* tx.query(sql.insertCheckpoint, [...scope, grown.size, note, DateTime.toDateUtc(yield* DateTime.now)])
  return { read, added: leaves.length }
})

const make = Effect.fnUntraced(function*(secrets: Secrets) {
  const database = yield* PgDatabase
  const sealTenant = Effect.fnUntraced(function*(tenant: Tenant, limit: number, keys: JournalKeys) {
    let sealed = 0
    for (let batch = { read: atOnce, added: 0 }; batch.read === atOnce && sealed < limit;) {
      batch = yield* database.transaction((tx) => sealBatch(tx, tenant, keys))
      sealed += batch.added
    }
    return sealed
  })
  return JournalSealer.of({
    seal: Effect.fn("JournalSealer.seal")(function*({ limit }) {
      const waiting = yield* database.read<{ readonly organization_id: string; readonly environment: string }>(sql.unsealedTenants)
      if (waiting.length === 0) return 0
      const keys = yield* readJournalKeys(database, secrets)
      let sealed = 0
      for (const row of waiting) {
        sealed += yield* sealTenant({ organizationId: row.organization_id, environment: row.environment } as Tenant, limit, keys)
      }
      return sealed
    })
  })
})

/** Adds committed transitions to the logs. Any number of workers may do it at once (docs/adr/0084). */
export const layerJournalSealer = (secrets: Secrets): Layer.Layer<JournalSealer, never, PgDatabase> => Layer.effect(JournalSealer, make(secrets))
