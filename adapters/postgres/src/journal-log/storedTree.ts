import { hashLength, type Subtree, type Tenant, tileHeight, type TreeHash } from "@overa/domain"
import { Effect } from "effect"
import type { PgQueries } from "../PgDatabase.ts"
import * as sql from "./auditStatements.ts"

const tileWidth = 2 ** tileHeight

/** Tiles of one level by position, packed as they are stored: a log may have many. */
type Level = ReadonlyMap<number, Uint8Array>

const readLevel = Effect.fnUntraced(function*(database: PgQueries, tenant: Tenant, level: number) {
  const found = new Map<number, Uint8Array>()
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

/** The hashes of a log as they are stored. */
export class StoredTree {
  private readonly levels: ReadonlyArray<Level>

  constructor(levels: ReadonlyArray<Level>) {
    this.levels = levels
  }

  /** A hash of a level of tiles; undefined if it is not stored. */
  at(level: number, index: number): TreeHash | undefined {
    const [tile, at] = [this.levels[level]?.get(Math.floor(index / tileWidth)), (index % tileWidth) * hashLength]
    return tile === undefined || tile.length < at + hashLength ? undefined : tile.subarray(at, at + hashLength)
  }

  /** The stored hash of a subtree that a level of tiles holds; null for levels in between. */
  of({ level, position }: Subtree): TreeHash | undefined | null {
    return level % tileHeight === 0 ? this.at(level / tileHeight, position) : null
  }
}

/** The tiles of a log of `size` leaves. */
export const readStoredTree = Effect.fnUntraced(function*(database: PgQueries, tenant: Tenant, size: number) {
  const levels: Array<Level> = []
  for (let [level, hashes] = [0, size]; hashes > 0; [level, hashes] = [level + 1, Math.floor(hashes / tileWidth)]) {
    levels.push(yield* readLevel(database, tenant, level))
  }
  return new StoredTree(levels)
})

/** Whether two hashes are the same. */
export const sameHash = (one: TreeHash | undefined, other: TreeHash): boolean => one !== undefined && Buffer.compare(one, other) === 0
