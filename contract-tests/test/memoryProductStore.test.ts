import { layerProductStore } from "@overa/adapter-memory"
import { Layer } from "effect"
import { productStoreContract } from "../src/ports/ProductStore.contract.ts"
import { type MemoryShop, memoryTenancy, registerIn } from "../src/support/memoryTenancy.ts"

productStoreContract("memory", () => {
  const shops: Array<MemoryShop> = []
  return {
    layer: Layer.provide(layerProductStore, memoryTenancy(shops)),
    register: registerIn(shops)
  }
})
