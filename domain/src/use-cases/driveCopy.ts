import { Effect } from "effect"
import { hasCash } from "../documents/composeContent.ts"
import type { StoredRefund } from "../ports/WorkflowStores.ts"
import { mayCopyBeSent, type RefundDocuments } from "../refunds/refundProgress.ts"
import { sendStored, type StoredSender } from "./issuing/sendReserved.ts"

/** The facts of a stored workflow from which its status follows. */
export const documentsOf = (refund: StoredRefund): RefundDocuments => ({
  refund: refund.refund.status,
  copyDue: hasCash(refund.refund.content.payments),
  copy: refund.copy?.status ?? null
})

/**
 * Sends the copy of a cash refund if it may be sent: the refund is a receipt, and the copy is reserved or was not fiscalized, or it was rejected and
 * an operator has it sent again. A premise without an element, or traffic switched off, leaves it pending. Answers the workflow as it is afterwards.
 * Source: Decisions §5, Refund workflow (3), (4).
 */
export const driveCopy = Effect.fn("driveCopy")(function*(
  stored: StoredRefund,
  by: StoredSender,
  callerGone: AbortSignal
) {
  const { copy } = stored
  if (copy === null || !mayCopyBeSent(documentsOf(stored), typeof by === "string" ? by : "operator")) return stored
  const sent = yield* sendStored(copy, { by, callerGone })
  return sent === null ? stored : { ...stored, copy: sent.operation } satisfies StoredRefund
})
