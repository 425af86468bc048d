import type { DocumentStatus } from "../documents/DocumentStatus.ts"
import type { AttentionItem, Operation } from "./Operation.ts"

/** Items that say: there may be a receipt of this document's key, or of what it gives back, that the document does not have (docs/adr/0123). */
export const doubtKinds = ["LOST_ATTEMPT", "SECOND_RECEIPT"] as const

export const raisesDoubt = ({ kind }: Pick<AttentionItem, "kind">): boolean => doubtKinds.some((doubt) => doubt === kind)

/** The statuses that say more than is known while such an item is open: that there is no receipt, or that nothing was sent yet. */
export const doubtedStatuses = ["VALIDATED", "NOT_FISCALIZED", "REJECTED"] as const satisfies ReadonlyArray<DocumentStatus>

/**
 * What may be told of a document that was being sent when a failover lost its row: its receipt may exist, and only the caller's key leads back to it.
 * A receipt stays a receipt.
 */
export const withoutRow = (known: Operation): Operation =>
  known.status === "FISCALIZED" ? known : { ...known, status: "OUTCOME_UNKNOWN", failureCode: "OUTCOME_UNKNOWN", rejection: null }

/** The status that may be told of a document about which such an item is open. */
export const statusInDoubt = (stored: DocumentStatus): DocumentStatus =>
  doubtedStatuses.some((status) => status === stored) ? "OUTCOME_UNKNOWN" : stored

/**
 * A stored document as every reader sees it while such an item is open: its outcome is unknown, so nothing is sent, until a person has acknowledged the
 * item. A receipt stays a receipt. Every store answers its documents in this form.
 */
export const whileInDoubt = (stored: Operation): Operation => {
  if (stored.status === "FISCALIZED") return stored
  const status = statusInDoubt(stored.status)
  return status === stored.status
    ? { ...stored, inDoubt: stored.status }
    : { ...stored, status, failureCode: "OUTCOME_UNKNOWN", rejection: null, inDoubt: stored.status }
}
