import type { Operation } from "./Operation.ts"

/**
 * Whether the service itself sends a reserved document until it is a receipt, whoever asked for it: the signed copy of a cash refund, and the final
 * sale of an advance case once its Advance Refund is signed. Every other document is sent only by requests with its caller's key, because the caller
 * may have given it up. Source: Decisions §5, Refund workflow and Advance case.
 */
export const isCarriedOnByService = ({ boundKey, content, workflow }: Pick<Operation, "boundKey" | "content" | "workflow">): boolean => {
  if (content.invoiceType === "COPY") return boundKey.role === "INNER"
  return workflow?.type === "ADVANCE" && content.invoiceType === "NORMAL" && content.reference !== null
}

/** Whether it waits to be sent by the service: reserved unsent, or certainly not signed by the last attempt. */
export const isDueToBeSent = (operation: Pick<Operation, "boundKey" | "content" | "status" | "workflow">): boolean =>
  isCarriedOnByService(operation) && (operation.status === "VALIDATED" || operation.status === "NOT_FISCALIZED")

const unsentPauseMillis = 5_000

/**
 * After how many milliseconds the service sends a document that its first commit stored unsent, because its element could not be opened; null where
 * only the caller's key sends it.
 */
export const dueAfterReservation = (operation: Operation): number | null => (isDueToBeSent(operation) ? unsentPauseMillis : null)
