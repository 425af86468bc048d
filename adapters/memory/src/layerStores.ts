import type { OperationHistory, OperationStore, RefundStore, UnresolvedOperations } from "@overa/domain"
import { Layer } from "effect"
import { MemoryOperations } from "./MemoryOperations.ts"
import { layerOperationStore, layerUnresolvedOperations } from "./MemoryOperationStore.ts"
import { layerRefundStore } from "./MemoryRefundStore.ts"

/** All stores of fiscal documents over one memory. */
export const layerStores: Layer.Layer<OperationStore | OperationHistory | UnresolvedOperations | RefundStore | MemoryOperations> = Layer
  .merge(layerUnresolvedOperations, layerRefundStore)
  .pipe(Layer.provideMerge(layerOperationStore), Layer.provideMerge(MemoryOperations.layer))
