import { acknowledge, layerOperationStore, layerRefundStore, layerUnresolvedOperations, MemoryOperations } from "@overa/adapter-memory"
import type { Operation } from "@overa/domain"
import { Effect, Layer } from "effect"
import { lostOriginalContract } from "../src/ports/lostOriginal.contract.ts"
import { refundAccountContract } from "../src/ports/refundAccount.contract.ts"
import { refundInDoubtContract } from "../src/ports/refundInDoubt.contract.ts"
import { refundStoreContract } from "../src/ports/RefundStore.contract.ts"
import { unreservedCopyContract } from "../src/ports/unreservedCopy.contract.ts"

const stores = () =>
  layerRefundStore.pipe(
    Layer.provideMerge(Layer.mergeAll(layerOperationStore, layerUnresolvedOperations)),
    Layer.provideMerge(MemoryOperations.layer)
  )

refundStoreContract("Memory", stores)
refundAccountContract("Memory", stores, 200)
const memory = MemoryOperations.empty()
refundInDoubtContract(
  "Memory",
  () => Layer.provide(Layer.provideMerge(layerRefundStore, Layer.mergeAll(layerOperationStore, layerUnresolvedOperations)), Layer.succeed(MemoryOperations, memory)),
  ({ id }, kind) => Effect.sync(() => acknowledge(memory, id, kind))
)
const attentionOf = ({ id }: Operation) => Effect.map(MemoryOperations, ({ byId }) => byId.get(id)?.attention ?? [])
unreservedCopyContract("Memory", stores, attentionOf)
lostOriginalContract("Memory", stores, attentionOf)
