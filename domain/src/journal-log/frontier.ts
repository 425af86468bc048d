import { foldSubtrees, nodeHash, type Sha256, type TreeHash } from "./merkle.ts"

/** The root of a tree while it grows leaf by leaf, in the memory of its height: the complete subtrees from left to right. */
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
