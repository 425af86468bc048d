import { type Checkpoint, type FiscalDocumentId, Frontier, type LogFinding, type LogFindingKind, type TreeHash } from "@overa/domain"
import { nodeSha256 } from "./nodeSha256.ts"
import { sameHash, type StoredTree } from "./storedTree.ts"

/** How many findings are listed one by one. */
const told = 1_000

/** A stored checkpoint; `opened` is null where no key of the installation has signed it. */
export interface StoredCheckpoint {
  readonly size: number
  readonly signedAt: number
  readonly opened: Checkpoint | null
}

/**
 * A checkpoint so much later than a transition should contain it. Two hosts tell the times, and the clock of each may be wrong by five minutes; sealing may
 * wait for some more.
 */
const sealedWithinMillis = 15 * 60_000
/** A transition sealed this much later than a checkpoint that should contain it did not exist at the time of the checkpoint. */
const lateMillis = 60 * 60_000

/** The comparison of one log with its rows, leaf by leaf from the first. */
export class LogAudit {
  readonly findings: Array<LogFinding> = []
  findingCount = 0
  /** Leaves covered by entries so far. */
  index = 0
  compared = 0
  /** Documents from which personal data was erased. */
  erased = 0
  private readonly frontier: Frontier
  private readonly checkpoints: ReadonlyArray<StoredCheckpoint>
  private nextCheckpoint = 0
  private nextInTime = 0

  constructor(checkpoints: ReadonlyArray<StoredCheckpoint>, stored: StoredTree) {
    this.checkpoints = checkpoints
    this.frontier = new Frontier(nodeSha256, (subtree, hash) => {
      const kept = stored.of(subtree)
      if (kept !== null && !sameHash(kept, hash)) {
        const { level, position } = subtree
        this.found("TREE_CHANGED", `The stored hash of the leaves ${position * 2 ** level} to ${(position + 1) * 2 ** level - 1} is not that of their hashes.`, {
          index: position * 2 ** level
        })
      }
    })
    this.passCheckpoints()
  }

  found(kind: LogFindingKind, detail: string, about: { readonly documentId?: string; readonly index?: number } = {}): void {
    this.findingCount += 1
    if (this.findings.length >= told) return
    this.findings.push({ kind, detail, documentId: (about.documentId ?? null) as FiscalDocumentId | null, index: about.index ?? null })
  }

  /** The stored hash of the next leaf of the tree. */
  grow(stored: TreeHash): void {
    this.frontier.append(stored)
    this.passCheckpoints()
  }

  get treeSize(): number {
    return this.frontier.size
  }

  private passCheckpoints(): void {
    for (let next = this.checkpoints[this.nextCheckpoint]; next !== undefined && next.size <= this.frontier.size; next = this.checkpoints[++this.nextCheckpoint]) {
      if (next.opened === null) this.found("CHECKPOINT_CHANGED", `The checkpoint of size ${next.size} is not signed by a key of this installation.`, { index: next.size })
      else if (next.opened.size !== next.size) this.found("CHECKPOINT_CHANGED", `The checkpoint kept under size ${next.size} says ${next.opened.size}.`, { index: next.size })
      else if (!sameHash(next.opened.root, this.frontier.root())) {
        this.found("TREE_CHANGED", `The hashes of the log's first ${next.size} leaves are not those that were signed.`, { index: next.size })
      }
    }
  }

  /** Whether a leaf was added long after a checkpoint that was signed after the leaf's transition and should have contained it. */
  isLate(index: number, happenedAt: number): boolean {
    // Leaves come in order, so the checkpoint that sealed each leaf is never earlier than that of the leaf before.
    while ((this.checkpoints[this.nextInTime]?.size ?? Number.POSITIVE_INFINITY) <= index) this.nextInTime += 1
    const own = this.checkpoints[this.nextInTime]
    const before = this.checkpoints[this.nextInTime - 1]
    if (own === undefined || before === undefined || own.signedAt - happenedAt <= lateMillis) return false
    const missed = this.checkpoints.findIndex(({ signedAt }) => signedAt > happenedAt + sealedWithinMillis)
    return missed >= 0 && missed < this.nextInTime && own.signedAt - (this.checkpoints[missed]?.signedAt ?? own.signedAt) > lateMillis
  }

  /** The findings that remain after the last leaf. */
  finish(size: number): void {
    if (this.index < size) this.found("ENTRY_MISSING", `Leaves ${this.index} to ${size - 1} belong to no document.`, { index: this.index })
    if (this.treeSize !== size) this.found("TREE_CHANGED", `The log has ${size} leaves and ${this.treeSize} hashes.`)
    for (const { size: unreached } of this.checkpoints.slice(this.nextCheckpoint)) {
      this.found("CHECKPOINT_CHANGED", `There is a checkpoint of size ${unreached}, but the log has no such size.`, { index: unreached })
    }
  }
}
