import { layerProductStore } from "@overa/adapter-memory"
import { Layer } from "effect"
import { productStoreContract } from "../src/ports/ProductStore.contract.ts"
import { memoryShop, type MemoryShop, memoryTenancy } from "../src/support/memoryTenancy.ts"

productStoreContract("memory", () => {
  const shops: Array<MemoryShop> = []
  return {
    layer: Layer.provide(layerProductStore, memoryTenancy(shops)),
    register: async ({ taxpayerId, tenant }, status = "active") => {
      const shop = memoryShop(tenant.organizationId, tenant.environment)
      shop.place = { ...shop.place, taxpayer: { ...shop.place.taxpayer, id: taxpayerId, status } }
      shops.push(shop)
    }
  }
})
