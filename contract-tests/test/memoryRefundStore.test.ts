import { layerOperationStore, layerRefundStore, layerUnresolvedOperations, MemoryOperations } from "@overa/adapter-memory"
import { Effect, Layer } from "effect"
import { refundAccountContract } from "../src/ports/refundAccount.contract.ts"
import { refundStoreContract } from "../src/ports/RefundStore.contract.ts"
import { unreservedCopyContract } from "../src/ports/unreservedCopy.contract.ts"

const stores = () =>
  layerRefundStore.pipe(
    Layer.provideMerge(Layer.mergeAll(layerOperationStore, layerUnresolvedOperations)),
    Layer.provideMerge(MemoryOperations.layer)
  )

refundStoreContract("Memory", stores)
refundAccountContract("Memory", stores, 200)
unreservedCopyContract("Memory", stores, ({ id }) => Effect.map(MemoryOperations, ({ byId }) => byId.get(id)?.attention ?? []))
