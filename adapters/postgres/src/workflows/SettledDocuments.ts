import type { Operation } from "@overa/domain"

/** An operation with the version of its row: while the version is the same, the operation is too. */
interface Kept {
  readonly version: string
  readonly operation: Operation
}

/**
 * Receipts of advance cases that this process has read before. A receipt never changes its status again, so a further payment of a case of a hundred
 * payments need not read and decode the other ninety-nine. An entry is used only while the row still has the version it was read with.
 *
 * Bounded by the size of the texts; the least recently used are evicted first.
 */
export class SettledDocuments {
  private readonly kept = new Map<string, Kept>()
  private readonly budget: number
  private size = 0

  constructor(budgetInCharacters: number) {
    this.budget = budgetInCharacters
  }

  find(organizationId: string, operationId: string, version: string): Operation | undefined {
    const key = keyOf(organizationId, operationId)
    const found = this.kept.get(key)
    if (found?.version !== version) return undefined
    this.kept.delete(key)
    this.kept.set(key, found)
    return found.operation
  }

  /** Keeps a receipt; any other operation may still change and is left out. */
  keep(version: string, operation: Operation): void {
    if (operation.status !== "FISCALIZED") return
    const key = keyOf(operation.organizationId, operation.id)
    this.drop(key)
    this.kept.set(key, { version, operation })
    this.size += sizeOf(operation)
    for (const oldest of this.kept.keys()) {
      if (this.size <= this.budget) return
      this.drop(oldest)
    }
  }

  private drop(key: string): void {
    const found = this.kept.get(key)
    if (found === undefined) return
    this.kept.delete(key)
    this.size -= sizeOf(found.operation)
  }
}

const keyOf = (organizationId: string, operationId: string): string => `${organizationId} ${operationId}`

// The content is the decoded body: about as large again. The answer is kept as text and in parts, and hosts keep the JSON of a receipt, which is
// about as long.
const sizeOf = ({ answer, boundKey }: Operation): number => 2 * boundKey.body.length + 3 * (answer?.text.length ?? 0) + 6_144
