import { layerDeliveryOutbox, layerDeliveryStore, MemoryDeliveries } from "@overa/adapter-memory"
import { Layer } from "effect"
import { deliveriesContract } from "../src/ports/Deliveries.contract.ts"

deliveriesContract("Memory", () => Layer.mergeAll(layerDeliveryStore, layerDeliveryOutbox).pipe(Layer.provide(MemoryDeliveries.layer)))
