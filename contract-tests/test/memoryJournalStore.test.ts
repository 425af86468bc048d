import { layerJournalStore, layerJournalUpkeep, layerOperationStore, layerUnresolvedOperations, MemoryOperations } from "@overa/adapter-memory"
import { Layer } from "effect"
import { journalReportSizeContract } from "../src/ports/JournalReportSize.contract.ts"
import { journalStoreContract } from "../src/ports/JournalStore.contract.ts"

const memory = () => ({
  layer: Layer.mergeAll(layerJournalStore, layerOperationStore, layerUnresolvedOperations, layerJournalUpkeep).pipe(Layer.provide(MemoryOperations.layer)),
  register: () => Promise.resolve(),
  takesIn: false
})

journalStoreContract("memory", memory)
journalReportSizeContract("memory", memory)
