import { layerElsewhereReceipts, layerOperationStore, MemoryOperations } from "@overa/adapter-memory"
import { Layer } from "effect"
import { elsewhereReceiptsContract } from "../src/ports/ElsewhereReceipts.contract.ts"
import { type MemoryShop, memoryTenancy, registerIn } from "../src/support/memoryTenancy.ts"

elsewhereReceiptsContract("memory", () => {
  const shops: Array<MemoryShop> = []
  return {
    layer: Layer.merge(layerElsewhereReceipts, layerOperationStore).pipe(Layer.provide([memoryTenancy(shops), MemoryOperations.layer])),
    register: registerIn(shops)
  }
})
