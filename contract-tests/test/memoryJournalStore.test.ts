import { layerJournalStore, layerJournalUpkeep, layerOperationStore, MemoryOperations } from "@overa/adapter-memory"
import { Layer } from "effect"
import { journalStoreContract } from "../src/ports/JournalStore.contract.ts"

journalStoreContract("memory", () =>
  Layer.mergeAll(layerJournalStore, layerOperationStore, layerJournalUpkeep).pipe(Layer.provide(MemoryOperations.layer)))
