import type { FiscalDocumentId } from "@overa/domain"
import { DateTime } from "effect"
import type { MemoryOperations } from "./MemoryOperations.ts"
import { followDoubt } from "./settleWorkflows.ts"

/** A person acknowledges the open items of a kind about an operation. */
export const acknowledge = (memory: MemoryOperations["Service"], id: FiscalDocumentId, kind: string): void => {
  const stored = memory.byId.get(id)
  if (stored === undefined) return
  stored.attention = stored.attention.map((item) => (item.kind === kind ? { ...item, isAcknowledged: true } : item))
  followDoubt(memory, stored, DateTime.makeUnsafe(0).pipe(DateTime.toUtc))
}
