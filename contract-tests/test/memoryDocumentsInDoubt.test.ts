import { acknowledge, layerOperationStore, layerUnresolvedOperations, MemoryOperations } from "@overa/adapter-memory"
import { Effect, Layer } from "effect"
import { documentsInDoubtContract } from "../src/ports/DocumentsInDoubt.contract.ts"

const memory = MemoryOperations.empty()

documentsInDoubtContract(
  "Memory",
  () => Layer.mergeAll(layerOperationStore, layerUnresolvedOperations).pipe(Layer.provide(Layer.succeed(MemoryOperations, memory))),
  ({ id }, kind) =>
    Effect.sync(() => acknowledge(memory, id, kind))
)
