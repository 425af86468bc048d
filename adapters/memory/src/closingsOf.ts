import { advancePartOf, type Operation, type WorkflowId } from "@overa/domain"
import { allShown, type MemoryOperations } from "./MemoryOperations.ts"

/** The documents of a case's closings, in the order they were reserved. */
export const closingsOf = (memory: MemoryOperations["Service"], caseId: WorkflowId): ReadonlyArray<Operation> =>
  allShown(memory).filter((operation) =>
    operation.workflow?.id === caseId && ["FINAL_SALE", "CLOSING_REFUND"].includes(advancePartOf(operation))
  )

const isInFlight = ({ content, status, workflow }: Operation): boolean =>
  workflow?.type === "ADVANCE" && status === "SUBMITTING" && content.invoiceType !== "COPY"

/** Whether another document of the case is in flight: one at a time (Decisions §5, Advance case). */
export const isKeptOut = (memory: MemoryOperations["Service"], operation: Operation): boolean =>
  isInFlight(operation) && [...memory.byId.values()].some(({ operation: other }) =>
    other.id !== operation.id && other.workflow?.id === operation.workflow?.id && isInFlight(other)
  )
