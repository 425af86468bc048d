import { type AdvanceMutated, type DocumentStatus, type Operation, presentAdvanceCase, presentDocument } from "@overa/domain"
import { advanceCaseJson } from "../contract/advanceSchemas.ts"
import { fiscalDocumentJson } from "@overa/host-kit/contract"
import type { Answer } from "../http/Operation.ts"
import { keyedHeaders, type NextStep } from "./keyedHeaders.ts"

/**
 * The answer to a request that issues a document. The document's status decides; the HTTP code summarizes it: 201 only from the request that issued
 * the receipt, 200 for its replays, 422 rejected, 503 everything that is not a receipt (Spec, States; Decisions §3).
 */
export const issuedAnswer = ({ operation, replayed }: { readonly operation: Operation; readonly replayed: boolean }): Answer => {
  const document = presentDocument(operation, { withRejection: true })
  const status = issuedStatus(document.status, replayed)
  const resource = document.fiscalized ? `/v1/fiscal-documents/${document.id}` : `/v1/operations/${document.id}`
  return {
    status,
    headers: keyedHeaders({ status, replayed, resource, next: nextStepOf(document) }),
    json: fiscalDocumentJson(document),
    operationId: document.id
  }
}

/** The HTTP status of an answer about one document. */
export const issuedStatus = (status: Operation["status"], replayed: boolean): number => {
  if (status === "FISCALIZED") return replayed ? 200 : 201
  return status === "REJECTED" ? 422 : 503
}

/** What follows an answer about one document. One that is ready and has not been sent yet is sent by the same key. */
export const nextStepOf = ({ retryable, status }: { readonly status: DocumentStatus; readonly retryable: boolean }): NextStep => {
  if (retryable || status === "VALIDATED") return "sameKey"
  return status === "FISCALIZED" || status === "REJECTED" || status === "NOT_FISCALIZED" ? "nothing" : "ask"
}

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
    headers: keyedHeaders({ status, replayed, resource: `/v1/advance-cases/${id}`, next: current === null ? "nothing" : nextStepOf(current) }),
    json: advanceCaseJson(advanceCase),
    operationId: current?.id ?? id
  }
}
