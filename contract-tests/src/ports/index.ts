/** The contracts of stores, published as `@overa/store-contracts`. */
export { operationStoreContract } from "./OperationStore.contract.ts"
export { productStoreContract } from "./ProductStore.contract.ts"
export { refundStoreContract } from "./RefundStore.contract.ts"
export { unresolvedOperationsContract } from "./UnresolvedOperations.contract.ts"
