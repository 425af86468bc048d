import { layerOperationStore, layerRefundStore, layerUnresolvedOperations, MemoryOperations } from "@overa/adapter-memory"
import { Layer } from "effect"
import { refundStoreContract } from "../src/ports/RefundStore.contract.ts"

refundStoreContract("Memory", () =>
  layerRefundStore.pipe(
    Layer.provideMerge(Layer.mergeAll(layerOperationStore, layerUnresolvedOperations)),
    Layer.provide(MemoryOperations.layer)
  ))
