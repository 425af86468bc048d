import { layerJournalLog, layerOperationStore, layerWebhookOutbox, layerWebhookStore, MemoryOperations, MemoryWebhooks } from "@overa/adapter-memory"
import { Layer } from "effect"
import { webhooksContract } from "../src/ports/Webhooks.contract.ts"

webhooksContract("memory", () => ({
  layer: Layer.mergeAll(layerWebhookStore, layerWebhookOutbox).pipe(
    Layer.provideMerge(Layer.merge(layerJournalLog, layerOperationStore)),
    Layer.provide([MemoryOperations.layer, MemoryWebhooks.layer])
  ),
  register: () => Promise.resolve()
}))
