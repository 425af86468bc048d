import { foldSubtrees, nodeHash, type Sha256, type Subtree, type TreeHash } from "./merkle.ts"

/**
 * The root of a tree that grows leaf by leaf. It keeps only the roots of the complete subtrees, from left to right: one hash for each level of the
 * tree.
 */
export class Frontier {
  size = 0
  private readonly subtrees: Array<TreeHash> = []
  private readonly hash: Sha256 | undefined
  private readonly onComplete: ((subtree: Subtree, hash: TreeHash) => void) | undefined

  /** `onComplete` is called for every subtree of two leaves or more, when its last leaf is appended. */
  constructor(hash?: Sha256, onComplete?: (subtree: Subtree, hash: TreeHash) => void) {
    this.hash = hash
    this.onComplete = onComplete
  }

  /** Appends a leaf's hash. */
  append(leaf: TreeHash): void {
    let node = leaf
    // As many subtrees are completed as the size has trailing ones.
    for (let [rest, level] = [this.size, 1]; rest % 2 === 1; [rest, level] = [(rest - 1) / 2, level + 1]) {
      node = nodeHash(this.subtrees.pop() as TreeHash, node, this.hash)
      this.onComplete?.({ level, position: (rest - 1) / 2 }, node)
    }
    this.subtrees.push(node)
    this.size += 1
  }

  /** The root as it is now. */
  root(): TreeHash {
    return foldSubtrees(this.subtrees, this.hash)
  }
}
