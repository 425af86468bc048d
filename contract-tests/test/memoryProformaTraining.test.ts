import { acknowledge, layerOperationStore, layerProformaTraining, layerUnresolvedOperations, MemoryOperations } from "@overa/adapter-memory"
import { Effect, Layer } from "effect"
import { proformaTrainingContract } from "../src/ports/ProformaTraining.contract.ts"

const memory = MemoryOperations.empty()

proformaTrainingContract(
  "Memory",
  () => layerProformaTraining.pipe(Layer.provideMerge(Layer.mergeAll(layerOperationStore, layerUnresolvedOperations)), Layer.provide(Layer.succeed(MemoryOperations, memory))),
  ({ id }, kind) => Effect.sync(() => acknowledge(memory, id, kind))
)
