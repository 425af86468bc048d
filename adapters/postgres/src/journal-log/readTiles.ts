import { completeSubtrees, foldSubtrees, type LeafRange, subtreeHash, type Tenant, type Tile, tileOf, type TilePlace, type TreeHash, unpackTile } from "@overa/domain"
import { Effect } from "effect"
import type { PgStatements } from "../PgDatabase.ts"
import { tilesAt } from "./logStatements.ts"
import { nodeSha256 } from "./nodeSha256.ts"

interface TileRow {
  readonly level: number
  readonly position: bigint
  readonly hashes: Uint8Array
}

/** Those of these tiles that are stored. */
export const readTiles = Effect.fnUntraced(function*(statements: PgStatements, tenant: Tenant, places: ReadonlyArray<TilePlace>) {
  const parameters = [tenant.organizationId, tenant.environment, places.map(({ level }) => level), places.map(({ position }) => position)]
  const rows = places.length === 0 ? [] : yield* statements.query<TileRow>(tilesAt, parameters)
  return rows.map(({ hashes, level, position }): Tile => ({ level, position: Number(position), hashes: unpackTile(new Uint8Array(hashes)) }))
})

const nameOf = ({ level, position }: TilePlace): string => `${level}/${position}`

/** The hashes of proofs, each a list of ranges of leaves; every tile is read once. */
export const readProofs = Effect.fnUntraced(function*(statements: PgStatements, tenant: Tenant, proofs: ReadonlyArray<ReadonlyArray<LeafRange>>) {
  const subtrees = proofs.map((ranges) => ranges.map(({ end, start }) => completeSubtrees(start, end)))
  const places = new Map(subtrees.flat(2).map((subtree) => [nameOf(tileOf(subtree)), tileOf(subtree)]))
  const tiles = yield* readTiles(statements, tenant, [...places.values()])
  const stored = new Map(tiles.map((tile) => [nameOf(tile), tile.hashes]))
  return subtrees.map((ranges) =>
    ranges.map((parts): TreeHash =>
      foldSubtrees(parts.map((subtree) => subtreeHash(subtree, stored.get(nameOf(tileOf(subtree))) ?? [], nodeSha256)), nodeSha256)
    )
  )
})
