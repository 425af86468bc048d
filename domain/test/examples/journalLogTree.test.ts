import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { appendLeaves, edgePlaces, packTile, subtreeHash, type Tile, tileOf, type TilePlace, unpackTile } from "../../src/journal-log/logTiles.ts"
import { completeSubtrees, emptyRoot, foldSubtrees, leafHash, nodeHash, rootOf, type TreeHash } from "../../src/journal-log/merkle.ts"
import { consistencyRanges, inclusionRanges, type LeafRange, verifyConsistency, verifyInclusion } from "../../src/journal-log/treeProofs.ts"

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex")

// RFC 6962 §2.1 word for word, recursive and slow: the reference for the tree.
const split = (n: number): number => 2 ** Math.ceil(Math.log2(n) - 1)
const mth = (d: ReadonlyArray<TreeHash>): TreeHash =>
  d.length === 0 ? emptyRoot : d.length === 1 ? d[0] as TreeHash : nodeHash(mth(d.slice(0, split(d.length))), mth(d.slice(split(d.length))))
const path = (m: number, d: ReadonlyArray<TreeHash>): ReadonlyArray<TreeHash> => {
  if (d.length === 1) return []
  const k = split(d.length)
  return m < k ? [...path(m, d.slice(0, k)), mth(d.slice(k))] : [...path(m - k, d.slice(k)), mth(d.slice(0, k))]
}
const subproof = (m: number, d: ReadonlyArray<TreeHash>, whole: boolean): ReadonlyArray<TreeHash> => {
  if (m === d.length) return whole ? [] : [mth(d)]
  const k = split(d.length)
  return m <= k
    ? [...subproof(m, d.slice(0, k), whole), mth(d.slice(k))]
    : [...subproof(m - k, d.slice(k), false), mth(d.slice(0, k))]
}

const key = ({ level, position }: TilePlace): string => `${level}/${position}`

/** A log of tiles, grown by batches, as a store keeps it. */
const grown = (batches: ReadonlyArray<ReadonlyArray<TreeHash>>) => {
  const stored = new Map<string, Tile>()
  let [size, root] = [0, emptyRoot]
  for (const added of batches) {
    const edge = edgePlaces(size).flatMap((place) => stored.get(key(place)) ?? [])
    const next = appendLeaves({ size, edge, added })
    // As a store would: bytes and back.
    for (const tile of next.tiles) stored.set(key(tile), { ...tile, hashes: unpackTile(packTile(tile.hashes)) })
    size = next.size
    root = next.root
  }
  const hashOf = ({ end, start }: LeafRange): TreeHash =>
    foldSubtrees(completeSubtrees(start, end).map((subtree) => subtreeHash(subtree, stored.get(key(tileOf(subtree)))?.hashes ?? [])))
  return { size, root, hashOf, tiles: stored }
}

const leaves = (count: number, seed = 0): ReadonlyArray<TreeHash> =>
  Array.from({ length: count }, (_, at) => leafHash(new TextEncoder().encode(`leaf ${seed} ${at}`)))

const inBatches = (all: ReadonlyArray<TreeHash>, sizes: ReadonlyArray<number>): ReadonlyArray<ReadonlyArray<TreeHash>> => {
  const batches: Array<ReadonlyArray<TreeHash>> = []
  let at = 0
  for (const size of [...sizes, all.length]) {
    batches.push(all.slice(at, at + size))
    at += size
  }
  return batches.filter((batch) => batch.length > 0)
}

// Small trees of every shape, and some around the width of a tile.
const size = fc.oneof(fc.nat(40), fc.integer({ min: 250, max: 530 }))
const batchSizes = fc.array(fc.integer({ min: 1, max: 300 }), { maxLength: 6 })

describe("The journal's log is the tree of RFC 6962", () => {
  it("gives the published roots of certificate transparency's test leaves", () => {
    const inputs = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
    const hashes = inputs.map((input) => leafHash(Buffer.from(input, "hex")))
    expect(hex(emptyRoot)).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    expect([1, 2, 3, 4, 5, 6, 7, 8].map((count) => hex(rootOf(hashes.slice(0, count))))).toEqual([
      "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
      "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
      "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
      "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
      "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
      "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
      "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
      "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"
    ])
  })

  it("has the root RFC 6962 says, however its leaves came in batches", () => {
    fc.assert(fc.property(size, batchSizes, (count, sizes) => {
      const all = leaves(count)
      const log = grown(inBatches(all, sizes))
      expect(log.size).toBe(count)
      expect(hex(log.root)).toBe(hex(mth(all)))
      expect(hex(rootOf(all))).toBe(hex(mth(all)))
    }), { numRuns: 60 })
  })

  it("stores each hash once: a tile only grows, and a full one never changes", () => {
    const all = leaves(700)
    const before = grown([all.slice(0, 300)])
    const after = grown([all.slice(0, 300), all.slice(300)])
    for (const [place, tile] of before.tiles) {
      expect(hex(packTile(after.tiles.get(place)?.hashes ?? []))).toMatch(new RegExp(`^${hex(packTile(tile.hashes))}`))
    }
  })

  it("proves every leaf by the path RFC 6962 says, and the proof verifies", () => {
    fc.assert(fc.property(size.filter((count) => count > 0), fc.nat(), batchSizes, (count, any, sizes) => {
      const all = leaves(count)
      const index = any % count
      const log = grown(inBatches(all, sizes))
      const proof = inclusionRanges(index, count).map(log.hashOf)
      expect(proof.map(hex)).toEqual(path(index, all).map(hex))
      expect(verifyInclusion({ index, size: count, leaf: all[index] as TreeHash, proof, root: log.root })).toBe(true)
    }), { numRuns: 60 })
  })

  it("proves every earlier size by the proof RFC 6962 says, and the proof verifies", () => {
    fc.assert(fc.property(size, fc.nat(), batchSizes, (to, any, sizes) => {
      const from = any % (to + 1)
      const all = leaves(to)
      const log = grown(inBatches(all, sizes))
      const proof = consistencyRanges(from, to).map(log.hashOf)
      if (from > 0) expect(proof.map(hex)).toEqual(subproof(from, all, true).map(hex))
      expect(verifyConsistency({ from, to, fromRoot: mth(all.slice(0, from)), toRoot: log.root, proof })).toBe(true)
    }), { numRuns: 60 })
  })
})

/** The tiles of a tree as hexadecimal texts by place: 256 hashes of a level in each, a full tile's root in the level above. */
const tilesOf = (hashes: ReadonlyArray<TreeHash>, level = 0): ReadonlyArray<readonly [place: string, tile: Tile, text: string]> => {
  const cut = inBatches(hashes, Array.from({ length: Math.floor(hashes.length / 256) }, () => 256))
  const tiles = cut.map((tile, position): Tile => ({ level, position, hashes: tile }))
  const full = cut.filter((tile) => tile.length === 256).map(mth)
  return [...tiles.map((tile) => [key(tile), tile, hex(packTile(tile.hashes))] as const), ...(full.length === 0 ? [] : tilesOf(full, level + 1))]
}

describe("The tiles of a log", () => {
  it.each([[1, 1], [1, 255], [1, 256], [100, 300], [255, 1], [255, 2], [256, 1], [256, 256], [300, 400], [511, 1], [512, 1]])(
    "of %i leaves change where the next %i come, and nowhere else, whatever later tiles are given",
    (before, more) => {
      const all = leaves(before + more)
      const [then, now] = [new Set(tilesOf(all.slice(0, before)).map(([place, , text]) => `${place} ${text}`)), tilesOf(all)]
      const next = appendLeaves({ size: before, edge: now.map(([, tile]) => tile).toReversed(), added: all.slice(before) })
      expect(next.tiles.map((tile) => `${key(tile)} ${hex(packTile(tile.hashes))}`))
        .toEqual(now.map(([place, , text]) => `${place} ${text}`).filter((tile) => !then.has(tile)))
      expect(hex(next.root)).toBe(hex(mth(all)))
    }
  )

  it.each([
    [0, ["0/0"]],
    [255, ["0/0"]],
    [256, ["0/1", "1/0"]],
    [700, ["0/2", "1/0"]],
    [65_535, ["0/255", "1/0"]],
    [65_536, ["0/256", "1/1", "2/0"]]
  ])("that %i leaves end in, one for each level", (count, places) => {
    expect(edgePlaces(count).map(key)).toEqual(places)
  })

  it("have no hash of a subtree that they do not hold whole", () => {
    const [one] = leaves(1)
    expect(() => subtreeHash({ level: 9, position: 0 }, one === undefined ? [] : [one])).toThrow("A tile of level 1 has 1 hashes, too few for subtree 9/0")
  })
})

describe("The complete subtrees of a range", () => {
  it("lie side by side in it, and no two neighbours are one larger subtree", () => {
    fc.assert(fc.property(fc.nat(300), fc.nat(300), (start, length) => {
      const subtrees = completeSubtrees(start, start + length)
      const ends = subtrees.map(({ level, position }) => (position + 1) * 2 ** level)
      expect(subtrees.map(({ level, position }) => position * 2 ** level)).toEqual([start, ...ends].slice(0, subtrees.length))
      expect(ends.at(-1) ?? start).toBe(start + length)
      expect(subtrees.every(({ position }) => Number.isInteger(position))).toBe(true)
      expect(subtrees.filter(({ level, position }, at) => position % 2 === 0 && subtrees[at + 1]?.level === level)).toEqual([])
    }))
  })
})

describe("A log of more leaves than a tile of tiles holds", () => {
  it("has the same roots and proofs", () => {
    const all = leaves(65_900)
    const log = grown([all.slice(0, 65_535), all.slice(65_535, 65_537), all.slice(65_537)])
    expect(hex(log.root)).toBe(hex(mth(all)))
    for (const index of [0, 65_535, 65_536, 65_899]) {
      const proof = inclusionRanges(index, all.length).map(log.hashOf)
      expect(verifyInclusion({ index, size: all.length, leaf: all[index] as TreeHash, proof, root: log.root })).toBe(true)
    }
    for (const from of [1, 65_535, 65_536]) {
      const proof = consistencyRanges(from, all.length).map(log.hashOf)
      expect(verifyConsistency({ from, to: all.length, fromRoot: rootOf(all.slice(0, from)), toRoot: log.root, proof })).toBe(true)
    }
  })
})

describe("A proof of something else", () => {
  const changed = fc.record({ count: fc.integer({ min: 1, max: 70 }), any: fc.nat(), at: fc.nat(), bit: fc.nat(255) })
  const flip = (hashes: ReadonlyArray<TreeHash>, at: number, bit: number): ReadonlyArray<TreeHash> =>
    hashes.map((hash, position) => position === at % hashes.length ? hash.map((byte, place) => place === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte) : hash)

  it("of inclusion is refused: another leaf, index, size, root, a changed, missing or added hash", () => {
    fc.assert(fc.property(changed, ({ any, at, bit, count }) => {
      const all = leaves(count)
      const index = any % count
      const good = { index, size: count, leaf: all[index] as TreeHash, proof: path(index, all), root: mth(all) }
      expect(verifyInclusion(good)).toBe(true)
      const bad = [
        { ...good, leaf: leafHash(new Uint8Array([1])) },
        { ...good, index: index + 1 },
        { ...good, index: -1 },
        { ...good, root: leafHash(new Uint8Array([2])) },
        { ...good, proof: [...good.proof, emptyRoot] },
        ...(good.proof.length === 0 ? [] : [{ ...good, proof: good.proof.slice(1) }, { ...good, proof: good.proof.slice(0, -1) }, { ...good, proof: flip(good.proof, at, bit) }])
      ]
      expect(bad.filter((one) => verifyInclusion(one))).toEqual([])
    }), { numRuns: 200 })
  })

  it("of consistency is refused where a leaf of the older tree was changed, removed, inserted or moved", () => {
    fc.assert(fc.property(changed, ({ any, at, bit, count }) => {
      const all = leaves(count)
      const from = 1 + (any % count)
      const place = at % from
      const forged = [
        all.with(place, leafHash(new Uint8Array([3]))),
        all.toSpliced(place, 1),
        all.toSpliced(place, 0, leafHash(new Uint8Array([4]))),
        ...(from > 1 ? [all.with(0, all[from - 1] as TreeHash).with(from - 1, all[0] as TreeHash)] : [])
      ].filter((other) => other.length >= from)
      for (const other of forged) {
        const proof = subproof(from, other, true)
        expect(verifyConsistency({ from, to: other.length, fromRoot: mth(all.slice(0, from)), toRoot: mth(other), proof })).toBe(false)
      }
      const good = { from, to: count, fromRoot: mth(all.slice(0, from)), toRoot: mth(all), proof: subproof(from, all, true) }
      expect(verifyConsistency(good)).toBe(true)
      expect(verifyConsistency({ ...good, proof: [...good.proof, emptyRoot] })).toBe(false)
      if (good.proof.length > 0) expect(verifyConsistency({ ...good, proof: flip(good.proof, at, bit) })).toBe(false)
    }), { numRuns: 200 })
  })
})

describe("A proof of consistency between sizes that are none, or with the wrong number of hashes, proves nothing whatever roots are claimed", () => {
  const [leaf, other] = leaves(2) as [TreeHash, TreeHash]

  it.each([
    { from: 2, to: 1, proof: [] },
    { from: -1, to: 1, proof: [leaf] },
    { from: Number.NaN, to: 1, proof: [leaf] },
    { from: 0.5, to: 1, proof: [leaf] },
    { from: 1, to: Number.NaN, proof: [] }
  ])("from $from to $to", (claim) => {
    expect(verifyConsistency({ ...claim, fromRoot: leaf, toRoot: leaf })).toBe(false)
  })

  it.each([
    [{ proof: [], fromRoot: emptyRoot }, true],
    [{ proof: [leaf], fromRoot: emptyRoot }, false],
    [{ proof: [], fromRoot: leaf }, false],
    [{ proof: [leaf], fromRoot: leaf }, false]
  ])("from the empty tree (row %#)", (claim, holds) => {
    expect(verifyConsistency({ ...claim, from: 0, to: 1, toRoot: leaf })).toBe(holds)
  })

  it.each([
    { from: 1, to: 1, fromRoot: leaf, toRoot: other, proof: [] },
    { from: 1, to: 1, fromRoot: leaf, toRoot: leaf, proof: [other] },
    { from: 3, to: 5, fromRoot: leaf, toRoot: leaf, proof: [] },
    { from: 1, to: 2, fromRoot: nodeHash(other, leaf), toRoot: nodeHash(other, nodeHash(leaf, other)), proof: [other, other] },
    { from: 1, to: 4, fromRoot: leaf, toRoot: nodeHash(leaf, other), proof: [other] },
    { from: 2, to: 4, fromRoot: leaf, toRoot: nodeHash(nodeHash(leaf, other), other), proof: [other, other] },
    { from: 3, to: 4, fromRoot: nodeHash(leaf, nodeHash(other, leaf)), toRoot: nodeHash(leaf, nodeHash(other, nodeHash(leaf, other))), proof: [leaf, other, other, leaf] }
  ])("from $from to $to with too many hashes or too few", (claim) => {
    expect(verifyConsistency(claim)).toBe(false)
  })
})
