import { layerOperationStore, layerUnresolvedOperations, MemoryOperations } from "@overa/adapter-memory"
import { Layer } from "effect"
import { operationStoreContract } from "../src/ports/OperationStore.contract.ts"
import { sameRequestIdContract } from "../src/ports/sameRequestId.contract.ts"
import { unresolvedOperationsContract } from "../src/ports/UnresolvedOperations.contract.ts"

const layer = () => Layer.mergeAll(layerOperationStore, layerUnresolvedOperations).pipe(Layer.provide(MemoryOperations.layer))

operationStoreContract("Memory", layer)
unresolvedOperationsContract("Memory", layer)
sameRequestIdContract("Memory", layer)
