import { layerOperationStore, layerProformaTraining, MemoryOperations } from "@overa/adapter-memory"
import { Layer } from "effect"
import { proformaTrainingContract } from "../src/ports/ProformaTraining.contract.ts"

proformaTrainingContract("Memory", () => layerProformaTraining.pipe(Layer.provideMerge(layerOperationStore), Layer.provide(MemoryOperations.layer)))
