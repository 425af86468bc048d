import { layerAdvanceCases, layerOperationStore, layerUnresolvedOperations, MemoryOperations } from "@overa/adapter-memory"
import type { Operation } from "@overa/domain"
import { Effect, Layer } from "effect"
import { advanceCasesContract } from "../src/ports/AdvanceCases.contract.ts"
import { advanceClosingsContract } from "../src/ports/AdvanceClosings.contract.ts"
import { caseAfterClosingContract } from "../src/ports/caseAfterClosing.contract.ts"
import { givenUpClosingContract } from "../src/ports/givenUpClosing.contract.ts"

const host = () =>
  layerAdvanceCases.pipe(
    Layer.provideMerge(Layer.mergeAll(layerOperationStore, layerUnresolvedOperations)),
    Layer.provideMerge(MemoryOperations.layer)
  )

advanceCasesContract("Memory", host)
advanceClosingsContract("Memory", host)
const attentionOf = ({ id }: Operation) => Effect.map(MemoryOperations, ({ byId }) => byId.get(id)?.attention ?? [])
caseAfterClosingContract("Memory", host, attentionOf)
givenUpClosingContract("Memory", host, attentionOf)
