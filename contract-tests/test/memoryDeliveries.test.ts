import { layerDeliveryOutbox, layerDeliveryStore, layerMailTransport, layerOperationStore, MemoryDeliveries, MemoryOperations } from "@overa/adapter-memory"
import { Layer } from "effect"
import { deliveriesContract } from "../src/ports/Deliveries.contract.ts"

deliveriesContract("Memory", () => Layer.mergeAll(layerDeliveryStore, layerDeliveryOutbox, layerMailTransport, layerOperationStore).pipe(Layer.provide([MemoryDeliveries.layer, MemoryOperations.layer])))
