import { layerJournalStore, layerJournalUpkeep, layerOperationStore, layerUnresolvedOperations, MemoryOperations } from "@overa/adapter-memory"
import { Layer } from "effect"
import { journalStoreContract } from "../src/ports/JournalStore.contract.ts"

journalStoreContract("memory", () => ({
  layer: Layer.mergeAll(layerJournalStore, layerOperationStore, layerUnresolvedOperations, layerJournalUpkeep).pipe(Layer.provide(MemoryOperations.layer)),
  register: () => Promise.resolve(),
  takesIn: false
}))
