import type { AttentionItem, Transition } from "@overa/domain"
import type { StoredOperation } from "./MemoryOperations.ts"

/** A finding is raised once: an hourly search that finds it again adds no new item. */
export const raise = (stored: StoredOperation, items: ReadonlyArray<AttentionItem>, at: Transition["at"]): void => {
  for (const { kind, detail, evidence } of items) {
    const isKnown = stored.attention.some((known) => known.kind === kind && known.detail === detail && known.evidence === evidence)
    if (!isKnown) stored.attention.push({ kind, detail, evidence, at, isAcknowledged: false })
  }
}
