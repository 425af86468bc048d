export * from "./MemoryOperationStore.ts"
export * from "./MemoryRefundStore.ts"
export * from "./MemoryProductStore.ts"
export { layerDeliveryOutbox, layerDeliveryStore, MemoryDeliveries } from "./MemoryDeliveries.ts"
