import { layerOperationStore, layerRefundStore, layerUnresolvedOperations, MemoryOperations } from "@overa/adapter-memory"
import { Layer } from "effect"
import { refundAccountContract } from "../src/ports/refundAccount.contract.ts"
import { refundStoreContract } from "../src/ports/RefundStore.contract.ts"

const stores = () =>
  layerRefundStore.pipe(
    Layer.provideMerge(Layer.mergeAll(layerOperationStore, layerUnresolvedOperations)),
    Layer.provide(MemoryOperations.layer)
  )

refundStoreContract("Memory", stores)
refundAccountContract("Memory", stores, 200)
