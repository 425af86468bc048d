import { layerJournalLog, layerOperationStore, layerWebhookOutbox, layerWebhookStore, MemoryOperations, MemoryWebhooks } from "@overa/adapter-memory"
import { Layer } from "effect"
import { waitingWebhooksContract } from "../src/ports/WaitingWebhooks.contract.ts"
import { webhooksContract } from "../src/ports/Webhooks.contract.ts"

const stores = () => ({
  layer: Layer.mergeAll(layerWebhookStore, layerWebhookOutbox).pipe(
    Layer.provideMerge(Layer.merge(layerJournalLog, layerOperationStore)),
    Layer.provide([MemoryOperations.layer, MemoryWebhooks.layer])
  ),
  register: () => Promise.resolve()
})

webhooksContract("memory", stores)
waitingWebhooksContract("memory", stores)
