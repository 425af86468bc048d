import { sha256 } from "@noble/hashes/sha2.js"

/** A SHA-256 digest: 32 bytes. */
export type TreeHash = Uint8Array

/** Bytes of a hash. */
export const hashLength = 32

/** SHA-256 over the concatenation of the parts; a host may give a faster one than the portable one. */
export type Sha256 = (bytes: Uint8Array) => Uint8Array

/** The hash of a leaf: SHA-256(0x00 ‖ leaf). RFC 6962 §2.1. */
export const leafHash = (leaf: Uint8Array, hash: Sha256 = sha256): TreeHash => {
  const bytes = new Uint8Array(1 + leaf.length)
  bytes.set(leaf, 1)
  return hash(bytes)
}

/** The hash of an inner node: SHA-256(0x01 ‖ left ‖ right). RFC 6962 §2.1. */
export const nodeHash = (left: TreeHash, right: TreeHash, hash: Sha256 = sha256): TreeHash => {
  const bytes = new Uint8Array(1 + left.length + right.length)
  bytes[0] = 1
  bytes.set(left, 1)
  bytes.set(right, 1 + left.length)
  return hash(bytes)
}

/** The root of an empty tree: SHA-256 of nothing. RFC 6962 §2.1. */
export const emptyRoot: TreeHash = sha256(new Uint8Array(0))

/** A complete subtree: the leaves from `position * 2^level` on, `2^level` of them. */
export interface Subtree {
  readonly level: number
  readonly position: number
}

/**
 * The complete subtrees that make up the leaves from `start` (inclusive) to `end` (exclusive), from left to right: each of them as large as its place and
 * the range allow. Folded, their hashes are the hash of a range of an RFC 6962 tree, where `start` is a multiple of the greatest power of two that is less
 * than or equal to `end - start`.
 */
export const completeSubtrees = (start: number, end: number): ReadonlyArray<Subtree> => {
  const found: Array<Subtree> = []
  for (let at = start; at < end;) {
    let level = 0
    while (at % 2 ** (level + 1) === 0 && at + 2 ** (level + 1) <= end) level += 1
    found.push({ level, position: at / 2 ** level })
    at += 2 ** level
  }
  return found
}

/** The hash over adjacent complete subtrees, given from left to right. RFC 6962 §2.1. */
export const foldSubtrees = (hashes: ReadonlyArray<TreeHash>, hash: Sha256 = sha256): TreeHash =>
  hashes.length === 0 ? emptyRoot : hashes.reduceRight((right, left) => nodeHash(left, right, hash))

/** The root over adjacent hashes, a power of two of them or any other number. */
export const rootOf = (hashes: ReadonlyArray<TreeHash>, hash: Sha256 = sha256): TreeHash => {
  let [row, rest] = [hashes, [] as Array<TreeHash>]
  while (row.length > 1) {
    const above: Array<TreeHash> = []
    for (let at = 0; at + 1 < row.length; at += 2) above.push(nodeHash(row[at] as TreeHash, row[at + 1] as TreeHash, hash))
    if (row.length % 2 === 1) rest = [row.at(-1) as TreeHash, ...rest]
    row = above
  }
  return foldSubtrees([...row, ...rest], hash)
}
