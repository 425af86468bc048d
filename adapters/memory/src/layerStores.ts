import type { JournalStore, OperationHistory, OperationStore, RefundStore, UnresolvedOperations } from "@overa/domain"
import { Layer } from "effect"
import { layerJournalStore } from "./MemoryJournalStore.ts"
import { MemoryOperations } from "./MemoryOperations.ts"
import { layerOperationStore, layerUnresolvedOperations } from "./MemoryOperationStore.ts"
import { layerRefundStore } from "./MemoryRefundStore.ts"

/** All stores of fiscal documents over one memory. */
export const layerStores: Layer.Layer<JournalStore | OperationStore | OperationHistory | UnresolvedOperations | RefundStore | MemoryOperations> = Layer
  .mergeAll(layerJournalStore, layerUnresolvedOperations, layerRefundStore)
  .pipe(Layer.provideMerge(layerOperationStore), Layer.provideMerge(MemoryOperations.layer))
