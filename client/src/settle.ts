import { OutcomeUnknown, RefundNotCompleted } from "./errors.ts"
import type { OveraClient, Prepared } from "./OveraClient.ts"

/** The operation whose outcome a failed request left unknown; null where it left none. */
const unknownOperation = (error: unknown): string | null => {
  if (error instanceof OutcomeUnknown) return error.document.id
  if (!(error instanceof RefundNotCompleted)) return null
  const { cashRefundCopy, refund, status } = error.workflow
  if (status === "REFUND_OUTCOME_UNKNOWN") return refund.id
  return status === "COPY_OUTCOME_UNKNOWN" ? cashRefundCopy?.id ?? null : null
}

/**
 * Sends, and where the outcome is not known, waits for it and sends the same request under the same key again: nothing new is issued, and the answer
 * is what became of it (Spec, Client handling rule 3).
 */
export const settle = async <A>(client: OveraClient, prepared: Prepared<A>, signal?: AbortSignal): Promise<A> => {
  for (;;) {
    try {
      return await prepared.send(signal)
    } catch (error) {
      const operation = unknownOperation(error)
      if (operation === null) throw error
      await client.untilResolved(operation, signal)
    }
  }
}
