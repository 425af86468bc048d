import { layerJournalLog, layerOperationStore, MemoryOperations } from "@overa/adapter-memory"
import { Layer } from "effect"
import { eventFeedContract } from "../src/ports/EventFeed.contract.ts"
import { journalLogContract } from "../src/ports/JournalLog.contract.ts"

const start = () => ({
  layer: Layer.merge(layerJournalLog, layerOperationStore).pipe(Layer.provide(MemoryOperations.layer)),
  register: () => Promise.resolve()
})

journalLogContract("memory", start)
eventFeedContract("memory", start, 100)
