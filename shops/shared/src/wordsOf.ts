import { DocumentRejected, NotIssued, OutcomeUnknown, RefundNotCompleted, RequestInvalid, RequestRefused, ServiceUnavailable } from "@overa/client"
import { Failed } from "./sendStep.ts"

const inShort = (rejection: unknown): string => {
  const said = JSON.stringify(rejection)
  return said.length > 600 ? `${said.slice(0, 600)}…` : said
}

/** A refund that is over because nothing could be sent: the V-PFR was away. The next attempt, under another key, may succeed. */
const isUnsentRefund = (error: unknown): boolean => error instanceof RefundNotCompleted && error.workflow.status === "FAILED" && error.workflow.refund?.status === "NOT_FISCALIZED"

/** Refused for now: too many requests, or something that the service needs does not answer. */
const isForNow = (error: unknown): error is RequestRefused => error instanceof RequestRefused && (error.status === 429 || error.status >= 500)

/** Nothing was issued, and the same request would be refused again. */
export const isRefusal = (error: unknown): boolean =>
  (error instanceof Failed && !isUnsentRefund(error.cause)) || error instanceof RequestInvalid || (error instanceof RequestRefused && !isForNow(error))

/** Whether it is certain that the request had no effect. */
export const isWithoutEffect = (error: unknown): boolean => isRefusal(error) && !(error instanceof RequestRefused && error.facts.code === "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST")

/** Of an order that waits for its place: with many orders while the tax authority does not answer, that takes minutes. */
export const waitsForOthers = "Not issued yet: other orders are sent before it. It is sent by itself; nothing is to be done."

/** What a person at the order reads, and what is to be done. `where`: the place of the settings, as "in the settings at the channel". */
export const wordsOf = (error: unknown, where: string): string => {
  if (error instanceof Failed) return wordsOf(error.cause, where)
  if (error instanceof OutcomeUnknown) return `The receipt was sent and its answer was lost; the service looks for it (document ${error.document.id}). Nothing is to be done, and nothing new is sent meanwhile.`
  if (error instanceof RefundNotCompleted && error.workflow.status !== "FAILED") return `The refund is under way; the service carries it on (workflow ${error.workflow.id}). Nothing is to be done.`
  if (error instanceof NotIssued || error instanceof ServiceUnavailable || isUnsentRefund(error)) return "Not issued yet: the tax authority or the service does not answer. It is sent again by itself; nothing is to be done."
  if (isForNow(error)) return `Not issued yet: ${error.message} It is sent again by itself; nothing is to be done.`
  if (error instanceof RefundNotCompleted && error.workflow.refund?.status === "REJECTED") return `The tax authority rejected the refund: ${inShort(error.workflow.refund.pfrRejection)}. Correct the settings ${where}, or ask who runs the service; it is sent again by itself, under a new key.`
  if (error instanceof DocumentRejected) return `The tax authority rejected the receipt: ${inShort(error.document.pfrRejection)}. Correct the tax labels or the payment types ${where}; it is sent again by itself, under a new key.`
  return `Not issued: ${error instanceof Error ? error.message : String(error)} Correct this ${where}; it is sent again by itself.`
}
