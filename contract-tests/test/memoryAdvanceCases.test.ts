import { layerAdvanceCases, layerOperationStore, layerUnresolvedOperations, MemoryOperations } from "@overa/adapter-memory"
import { Layer } from "effect"
import { advanceCasesContract } from "../src/ports/AdvanceCases.contract.ts"
import { advanceClosingsContract } from "../src/ports/AdvanceClosings.contract.ts"

const host = () =>
  layerAdvanceCases.pipe(
    Layer.provideMerge(Layer.mergeAll(layerOperationStore, layerUnresolvedOperations)),
    Layer.provide(MemoryOperations.layer)
  )

advanceCasesContract("Memory", host)
advanceClosingsContract("Memory", host)
