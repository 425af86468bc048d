import { bytesEqual } from "../verification/bytes.ts"
import { emptyRoot, nodeHash, type Sha256, type TreeHash } from "./merkle.ts"

/** Leaves from `start` (inclusive) to `end` (exclusive), whose hash is one element of a proof. */
export interface LeafRange {
  readonly start: number
  readonly end: number
}

/** The greatest power of two below `size`. RFC 6962 §2.1: where a tree of `size` leaves is split. */
const splitOf = (size: number): number => {
  let power = 1
  while (power * 2 < size) power *= 2
  return power
}

/**
 * The ranges whose hashes prove that the leaf `index` is in a tree of `size` leaves, in the order of the proof. RFC 6962 §2.1.1. `index` must
 * be less than `size`.
 */
export const inclusionRanges = (index: number, size: number): ReadonlyArray<LeafRange> => {
  const ranges: Array<LeafRange> = []
  let [start, end] = [0, size]
  while (end - start > 1) {
    const middle = start + splitOf(end - start)
    if (index < middle) {
      ranges.unshift({ start: middle, end })
      end = middle
    } else {
      ranges.unshift({ start, end: middle })
      start = middle
    }
  }
  return ranges
}

/**
 * The ranges whose hashes prove that the tree of `to` leaves begins with the tree of `from` leaves, in the order of the proof. RFC 6962
 * §2.1.2; empty where `from` is 0 or `to`.
 */
export const consistencyRanges = (from: number, to: number): ReadonlyArray<LeafRange> => {
  if (from === 0 || from === to) return []
  const ranges: Array<LeafRange> = []
  let [start, end] = [0, to]
  // A range that the older tree holds whole, from its first leaf, needs no proof: the verifier knows its hash.
  let known = true
  while (from !== end) {
    const middle = start + splitOf(end - start)
    if (from <= middle) {
      ranges.unshift({ start: middle, end })
      end = middle
    } else {
      ranges.unshift({ start, end: middle })
      start = middle
      known = false
    }
  }
  return known ? ranges : [{ start, end }, ...ranges]
}

const odd = (n: number): boolean => n % 2 === 1
const half = (n: number): number => Math.floor(n / 2)

/** Whether the proof shows that the leaf hash is leaf `index` of the tree of `size` leaves with that root. RFC 9162 §2.1.3.2. */
export const verifyInclusion = (
  { index, leaf, proof, root, size }: {
    readonly index: number
    readonly leaf: TreeHash
    readonly proof: ReadonlyArray<TreeHash>
    readonly root: TreeHash
    readonly size: number
  },
  hash?: Sha256
): boolean => {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size) || index < 0 || index >= size) return false
  let [node, last, found] = [index, size - 1, leaf]
  for (const beside of proof) {
    if (last === 0) return false
    if (odd(node) || node === last) {
      found = nodeHash(beside, found, hash)
      while (!odd(node) && node !== 0) [node, last] = [half(node), half(last)]
    } else found = nodeHash(found, beside, hash)
    node = half(node)
    last = half(last)
  }
  return last === 0 && bytesEqual(found, root)
}

interface Consistency {
  readonly from: number
  readonly to: number
  readonly fromRoot: TreeHash
  readonly toRoot: TreeHash
  readonly proof: ReadonlyArray<TreeHash>
}

const followConsistency = ({ from, fromRoot, proof, to, toRoot }: Consistency, hash?: Sha256): boolean => {
  let [node, last] = [from - 1, to - 1]
  while (odd(node)) [node, last] = [half(node), half(last)]
  // A tree that is complete by itself is its own first element.
  const [first, ...others] = node === 0 ? [fromRoot, ...proof] : proof
  if (first === undefined) return false
  let [older, newer] = [first, first]
  for (const beside of others) {
    if (last === 0) return false
    if (odd(node) || node === last) {
      older = nodeHash(beside, older, hash)
      newer = nodeHash(beside, newer, hash)
      while (!odd(node) && node !== 0) [node, last] = [half(node), half(last)]
    } else newer = nodeHash(newer, beside, hash)
    node = half(node)
    last = half(last)
  }
  return last === 0 && bytesEqual(older, fromRoot) && bytesEqual(newer, toRoot)
}

/**
 * Whether the proof shows that the tree of `to` leaves begins with the tree of `from` leaves. RFC 9162 §2.1.4.2; from 0 the proof is empty and
 * the older root must be the empty tree's.
 */
export const verifyConsistency = (asked: Consistency, hash?: Sha256): boolean => {
  const { from, fromRoot, proof, to, toRoot } = asked
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to) || from < 0 || from > to) return false
  if (from === 0) return proof.length === 0 && bytesEqual(fromRoot, emptyRoot)
  if (from === to) return proof.length === 0 && bytesEqual(fromRoot, toRoot)
  return followConsistency(asked, hash)
}
