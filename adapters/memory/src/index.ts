export * from "./MemoryOperationStore.ts"
export * from "./MemoryRefundStore.ts"
