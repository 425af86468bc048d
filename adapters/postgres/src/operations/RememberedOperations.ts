import type { Operation } from "@overa/domain"

/**
 * The last operations that this process reserved, so that their second commit need not read back what was just written. Only values that never change
 * are taken from here (the schema refuses to change them); status and outcome always come from the row.
 *
 * Bounded by the size of the requests, not by their number: one request may be a mebibyte.
 */
export class RememberedOperations {
  private readonly operations = new Map<string, Operation>()
  private readonly budget: number
  private size = 0

  constructor(budgetInCharacters: number) {
    this.budget = budgetInCharacters
  }

  remember(operation: Operation): void {
    const key = keyOf(operation.organizationId, operation.id)
    this.drop(key)
    this.operations.set(key, operation)
    this.size += sizeOf(operation)
    for (const oldest of this.operations.keys()) {
      if (this.size <= this.budget) return
      this.drop(oldest)
    }
  }

  /** Returns the operation as it was reserved and removes it: an outcome is usually stored once. */
  take(organizationId: string, operationId: string): Operation | undefined {
    const key = keyOf(organizationId, operationId)
    const operation = this.operations.get(key)
    this.drop(key)
    return operation
  }

  private drop(key: string): void {
    const operation = this.operations.get(key)
    if (operation === undefined) return
    this.operations.delete(key)
    this.size -= sizeOf(operation)
  }
}

const keyOf = (organizationId: string, operationId: string): string => `${organizationId} ${operationId}`

// The content is the decoded body: about as large again, and some for the objects themselves.
const sizeOf = (operation: Operation): number => 2 * operation.boundKey.body.length + 4_096
