import { DocumentRejected, OutcomeUnknown, RefundNotCompleted, RequestInvalid, RequestRefused, type OveraClient, type Prepared } from "@overa/client"
import { setTimeout as pause } from "node:timers/promises"

const isFailedRefund = (error: unknown): boolean => error instanceof RefundNotCompleted && error.workflow.status === "FAILED"

/** A refusal that no repeat changes: the shop's request or the service is wrong. */
const isFinal = (error: unknown): boolean =>
  error instanceof RequestInvalid || error instanceof DocumentRejected || isFailedRefund(error) ||
  (error instanceof RequestRefused && error.status !== 401 && error.status !== 409 && error.status !== 429 && error.status < 500)

/** Asks again until there is an answer, as a shop's queue does; fails with a refusal that stands, or when the run is over. */
export const persist = async <A>(ask: () => Promise<A>, over: AbortSignal, onUnknown?: (documentId: string) => Promise<unknown>): Promise<A> => {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (isFinal(error) || over.aborted) throw error
      if (error instanceof OutcomeUnknown && onUnknown !== undefined) await onUnknown(error.document.id).catch(() => undefined)
      else await pause(1_000)
    }
  }
}

/** Sends a prepared request under its key until there is a receipt. */
export const untilIssued = <A>(client: OveraClient, prepared: Prepared<A>, over: AbortSignal): Promise<A> =>
  persist(() => prepared.send(over), over, (id) => client.untilResolved(id, over))

/** A refund of which nothing was sent has failed for good; the next one has a key of its own. */
export const untilRefunded = async <A>(prepare: () => Prepared<A>, over: AbortSignal): Promise<A> => {
  for (;;) {
    const prepared = prepare()
    try {
      return await persist(() => prepared.send(over), over)
    } catch (error) {
      if (!isFailedRefund(error) || over.aborted) throw error
      await pause(1_000)
    }
  }
}
