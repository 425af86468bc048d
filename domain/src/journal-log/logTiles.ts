import { completeSubtrees, foldSubtrees, hashLength, rootOf, type Sha256, type Subtree, type TreeHash } from "./merkle.ts"

// The tree is kept in tiles of up to 256 adjacent hashes of one level: level 0 holds the leaves' hashes, level 1 the roots of full tiles of level 0,
// and so on. Every node in between is computed from a tile, so a proof reads a few tiles of 8 KiB.

/** Hashes in a full tile, as a power of two. */
export const tileHeight = 8
const tileWidth = 2 ** tileHeight

/** Where a tile stands: its hashes are numbers `position * 256` and following of the level. */
export interface TilePlace {
  readonly level: number
  readonly position: number
}

/** A tile: at most 256 hashes. */
export interface Tile extends TilePlace {
  readonly hashes: ReadonlyArray<TreeHash>
}

/** The tiles that a tree of `size` leaves ends in, one for each level; the last one may be empty. They are what is needed to append. */
export const edgePlaces = (size: number): ReadonlyArray<TilePlace> => {
  const places: Array<TilePlace> = []
  for (let [level, count] = [0, size]; count > 0 || level === 0; [level, count] = [level + 1, Math.floor(count / tileWidth)]) {
    places.push({ level, position: Math.floor(count / tileWidth) })
  }
  return places
}

/** The tile in which a complete subtree's hash is found or computed. */
export const tileOf = ({ level, position }: Subtree): TilePlace => {
  const inTile = level % tileHeight
  return { level: Math.floor(level / tileHeight), position: Math.floor((position * 2 ** inTile) / tileWidth) }
}

/** The hash of a complete subtree, from the hashes of its tile. */
export const subtreeHash = ({ level, position }: Subtree, hashes: ReadonlyArray<TreeHash>, hash?: Sha256): TreeHash => {
  const width = 2 ** (level % tileHeight)
  const first = (position * width) % tileWidth
  const under = hashes.slice(first, first + width)
  if (under.length < width) throw new Error(`A tile of level ${Math.floor(level / tileHeight)} has ${hashes.length} hashes, too few for subtree ${level}/${position}`)
  return rootOf(under, hash)
}

/** The root of the tree's first `size` leaves, from the tiles of its edge. `hashesOf` gives a tile's hashes. */
export const rootOfTiles = (size: number, hashesOf: (place: TilePlace) => ReadonlyArray<TreeHash>, hash?: Sha256): TreeHash =>
  foldSubtrees(completeSubtrees(0, size).map((subtree) => subtreeHash(subtree, hashesOf(tileOf(subtree)), hash)), hash)

const appendTo = (level: number, before: ReadonlyArray<TreeHash>, position: number, added: ReadonlyArray<TreeHash>, hash?: Sha256) => {
  const changed: Array<Tile> = []
  const full: Array<TreeHash> = []
  const all = [...before, ...added]
  for (let at = 0; at < all.length; at += tileWidth) {
    const hashes = all.slice(at, at + tileWidth)
    changed.push({ level, position: position + at / tileWidth, hashes })
    if (hashes.length === tileWidth) full.push(rootOf(hashes, hash))
  }
  return { changed, full }
}

/**
 * Appends leaf hashes to a tree of `size` leaves, given the tiles of its edge (`edgePlaces`): the tiles that change, from level 0 up, each with all
 * its hashes, and the new root. Other tiles in `edge`, and hashes behind `size`, are ignored.
 */
export const appendLeaves = (
  { added, edge, size }: { readonly size: number; readonly edge: ReadonlyArray<Tile>; readonly added: ReadonlyArray<TreeHash> },
  hash?: Sha256
): { readonly tiles: ReadonlyArray<Tile>; readonly root: TreeHash; readonly size: number } => {
  const hashesAt = (level: number, position: number) => edge.find((tile) => tile.level === level && tile.position === position)?.hashes ?? []
  const tiles: Array<Tile> = []
  for (let [level, count, next] = [0, size, added]; next.length > 0; level += 1) {
    const position = Math.floor(count / tileWidth)
    const { changed, full } = appendTo(level, hashesAt(level, position).slice(0, count % tileWidth), position, next, hash)
    tiles.push(...changed)
    count = position
    next = full
  }
  const hashesOf = (place: TilePlace): ReadonlyArray<TreeHash> =>
    tiles.find((tile) => tile.level === place.level && tile.position === place.position)?.hashes ?? hashesAt(place.level, place.position)
  return { tiles, root: rootOfTiles(size + added.length, hashesOf, hash), size: size + added.length }
}

/** A tile's hashes one after another, as stores keep them. */
export const packTile = (hashes: ReadonlyArray<TreeHash>): Uint8Array => {
  const bytes = new Uint8Array(hashes.length * hashLength)
  hashes.forEach((hash, at) => bytes.set(hash, at * hashLength))
  return bytes
}

/** The hashes of a packed tile. */
export const unpackTile = (bytes: Uint8Array): ReadonlyArray<TreeHash> =>
  Array.from({ length: Math.floor(bytes.length / hashLength) }, (_, at) => bytes.subarray(at * hashLength, (at + 1) * hashLength))
