import { layerDeliveryOutbox, layerDeliveryStore, layerJournalLog, layerOperationStore, MemoryDeliveries, MemoryOperations } from "@overa/adapter-memory"
import { Layer } from "effect"
import * as TestClock from "effect/testing/TestClock"
import { cosignaturesContract } from "../src/ports/Cosignatures.contract.ts"
import { eventFeedContract } from "../src/ports/EventFeed.contract.ts"
import { journalLogContract } from "../src/ports/JournalLog.contract.ts"

const start = () => ({
  layer: Layer.mergeAll(layerJournalLog, layerOperationStore, layerDeliveryStore, layerDeliveryOutbox).pipe(Layer.provide([MemoryDeliveries.layer, MemoryOperations.layer])),
  register: () => Promise.resolve()
})

journalLogContract("memory", start)
eventFeedContract("memory", start, 100)
cosignaturesContract("memory", () => ({
  ...start(), layer: Layer.provideMerge(start().layer, TestClock.layer()), aMinuteLater: () => TestClock.adjust("61 seconds")
}))
