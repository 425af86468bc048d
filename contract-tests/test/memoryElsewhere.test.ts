import { layerElsewhereReceipts, layerOperationStore, MemoryOperations } from "@overa/adapter-memory"
import { Layer } from "effect"
import { elsewhereReceiptsContract } from "../src/ports/ElsewhereReceipts.contract.ts"
import { memoryShop, type MemoryShop, memoryTenancy } from "../src/support/memoryTenancy.ts"

elsewhereReceiptsContract("memory", () => {
  const shops: Array<MemoryShop> = []
  return {
    layer: Layer.merge(layerElsewhereReceipts, layerOperationStore).pipe(Layer.provide([memoryTenancy(shops), MemoryOperations.layer])),
    register: async ({ taxpayerId, tenant }, status = "active") => {
      const shop = memoryShop(tenant.organizationId, tenant.environment)
      shop.place = { ...shop.place, taxpayer: { ...shop.place.taxpayer, id: taxpayerId, status } }
      shops.push(shop)
    }
  }
})
