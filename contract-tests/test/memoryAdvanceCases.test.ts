import { layerAdvanceCases, layerOperationStore, layerUnresolvedOperations, MemoryOperations } from "@overa/adapter-memory"
import { Layer } from "effect"
import { advanceCasesContract } from "../src/ports/AdvanceCases.contract.ts"

advanceCasesContract("Memory", () =>
  layerAdvanceCases.pipe(
    Layer.provideMerge(Layer.mergeAll(layerOperationStore, layerUnresolvedOperations)),
    Layer.provide(MemoryOperations.layer)
  ))
