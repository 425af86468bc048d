import { foldSubtrees, nodeHash, type Sha256, type TreeHash } from "./merkle.ts"

/**
 * The root of a tree that grows leaf by leaf. It keeps only the roots of the complete subtrees, from left to right: one hash for each level of the
 * tree.
 */
export class Frontier {
  size = 0
  private readonly subtrees: Array<TreeHash> = []
  private readonly hash: Sha256 | undefined

  constructor(hash?: Sha256) {
    this.hash = hash
  }

  /** Appends a leaf's hash. */
  append(leaf: TreeHash): void {
    let node = leaf
    // As many subtrees are completed as the size has trailing ones.
    for (let rest = this.size; rest % 2 === 1; rest = (rest - 1) / 2) node = nodeHash(this.subtrees.pop() as TreeHash, node, this.hash)
    this.subtrees.push(node)
    this.size += 1
  }

  /** The root as it is now. */
  root(): TreeHash {
    return foldSubtrees(this.subtrees, this.hash)
  }
}
