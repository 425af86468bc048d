import { layerJournalLog, layerOperationStore, MemoryOperations } from "@overa/adapter-memory"
import { Layer } from "effect"
import { journalLogContract } from "../src/ports/JournalLog.contract.ts"

journalLogContract("memory", () => ({
  layer: Layer.merge(layerJournalLog, layerOperationStore).pipe(Layer.provide(MemoryOperations.layer)),
  register: () => Promise.resolve()
}))
