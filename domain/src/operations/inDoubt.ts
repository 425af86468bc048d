import type { DocumentStatus } from "../documents/DocumentStatus.ts"
import type { AttentionItem, Operation } from "./Operation.ts"

/** Items that say: there may be a receipt of this document's key, or of what it gives back, that the document does not have (docs/adr/0123). */
export const doubtKinds = ["LOST_ATTEMPT", "SECOND_RECEIPT"] as const

export const raisesDoubt = ({ kind }: Pick<AttentionItem, "kind">): boolean => doubtKinds.some((doubt) => doubt === kind)

/** The statuses that say more than is known while such an item is open: that there is no receipt, or that nothing was sent yet. */
export const doubtedStatuses = ["VALIDATED", "NOT_FISCALIZED", "REJECTED"] as const satisfies ReadonlyArray<DocumentStatus>

/** What every unknown outcome is stored and told as, whether the V-PFR was silent, a lease has ended or the store lost the document. */
export const unknownOutcome = { status: "OUTCOME_UNKNOWN", failureCode: "OUTCOME_UNKNOWN", rejection: null } as const

/**
 * What may be told of a document whose outcome the store did not take, or whose row a failover lost: its receipt may exist. A receipt stays a receipt.
 */
export const asUnknown = (known: Operation): Operation => (known.status === "FISCALIZED" ? known : { ...known, ...unknownOutcome })

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
    : { ...stored, ...unknownOutcome, inDoubt: stored.status }
}
