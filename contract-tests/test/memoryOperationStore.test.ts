import { layerOperationStore, layerUnresolvedOperations, MemoryOperations } from "@overa/adapter-memory"
import { type Operation } from "@overa/domain"
import { Effect, Layer } from "effect"
import { operationRedriveContract } from "../src/ports/OperationRedrive.contract.ts"
import { operationStoreContract } from "../src/ports/OperationStore.contract.ts"
import { operatorsDeedsContract } from "../src/ports/operatorsDeeds.contract.ts"
import { sameRequestIdContract } from "../src/ports/sameRequestId.contract.ts"
import { unresolvedOperationsContract } from "../src/ports/UnresolvedOperations.contract.ts"

const layer = () => Layer.mergeAll(layerOperationStore, layerUnresolvedOperations).pipe(Layer.provide(MemoryOperations.layer))

operationStoreContract("Memory", layer)
operationRedriveContract("Memory", layer)
unresolvedOperationsContract("Memory", layer)
sameRequestIdContract("Memory", layer)

const memory = MemoryOperations.empty()
const sharedLayer = () => Layer.mergeAll(layerOperationStore, layerUnresolvedOperations).pipe(Layer.provide(Layer.succeed(MemoryOperations, memory)))
const linesOf = ({ id }: Operation) => Effect.sync(() => memory.deeds.flatMap(({ subject, ...line }) => (subject === id ? [line] : [])))
operatorsDeedsContract("Memory", sharedLayer, linesOf)
