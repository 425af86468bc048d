import { type AdvanceCase, type AdvanceMutated, type Operation, presentAdvanceCase, presentDocument } from "@overa/domain"
import type { Answer } from "../http/Operation.ts"
import { advanceCaseJson } from "../contract/advanceSchemas.ts"
import { fiscalDocumentJson } from "../contract/documentSchemas.ts"

/** Seconds to wait before the same key is tried again (Spec, Client handling rules 2). */
export const retrySeconds = "2"

/**
 * The answer to a request that issues a document. The document's status decides; the HTTP code summarizes it: 201 only from the request that issued
 * the receipt, 200 for its replays, 422 rejected, 503 everything that is not a receipt (Spec, States; Decisions §3).
 */
export const issuedAnswer = (issued: { readonly operation: Operation; readonly replayed: boolean }): Answer => {
  const document = presentDocument(issued.operation, { withRejection: true })
  return {
    status: issuedStatus(document.status, issued.replayed),
    headers: {
      ...(issued.replayed ? { "Idempotency-Replayed": "true" } : {}),
      ...(document.fiscalized && !issued.replayed ? { Location: `/v1/fiscal-documents/${document.id}` } : {}),
      ...(document.retryable ? { "Retry-After": retrySeconds } : {})
    },
    json: fiscalDocumentJson(document),
    operationId: document.id
  }
}

/** The HTTP status of an answer about one document. */
export const issuedStatus = (status: Operation["status"], replayed: boolean): number => {
  if (status === "FISCALIZED") return replayed ? 200 : 201
  return status === "REJECTED" ? 422 : 503
}

/** Whether the same key continues the case: nothing was sent, or the final sale is ready and has not been sent yet. */
const goesOn = (current: AdvanceCase["current"]): boolean => current?.retryable === true || current?.status === "VALIDATED"

/**
 * The answer to a mutation of a case: the whole case, with the HTTP status of this request's document. Opening issues no document: 201, and 200 for
 * its replays. Source: Decisions §5, Advance case (HTTP follows `current`).
 */
export const advanceAnswer = ({ current: issued, replayed, stored }: AdvanceMutated): Answer => {
  const advanceCase = presentAdvanceCase(stored, issued)
  const { current, id } = advanceCase
  const status = current === null ? (replayed ? 200 : 201) : issuedStatus(current.status, replayed)
  return {
    status,
    headers: {
      ...(replayed ? { "Idempotency-Replayed": "true" } : {}),
      ...(status === 201 ? { Location: `/v1/advance-cases/${id}` } : {}),
      ...(goesOn(current) ? { "Retry-After": retrySeconds } : {})
    },
    json: advanceCaseJson(advanceCase),
    operationId: current?.id ?? id
  }
}
