import { mayCopyBeSent, type Refunded, refundStatusOf } from "@overa/domain"
import type { Answer } from "../http/Operation.ts"
import { refundWorkflowJson } from "../contract/refundSchemas.ts"

const retrySeconds = "2"

/**
 * The answer to a refund: 201 completed by this request, 200 completed before, 422 when the V-PFR rejected the refund, 503 for every other state.
 * `Retry-After` only where the same key continues the workflow; a failed one is final (Decisions §3).
 */
export const refundAnswer = ({ refund: stored, replayed }: Refunded): Answer => {
  const status = refundStatusOf(stored)
  return {
    status: statusOf(status, stored.refund.status, replayed),
    headers: {
      ...(replayed ? { "Idempotency-Replayed": "true" } : {}),
      ...(status === "COMPLETED" && !replayed ? { Location: `/v1/refund-workflows/${stored.id}` } : {}),
      ...(carriesOn(stored, status) ? { "Retry-After": retrySeconds } : {})
    },
    json: refundWorkflowJson(stored),
    operationId: stored.refund.id
  }
}

const statusOf = (
  status: ReturnType<typeof refundStatusOf>,
  refund: Refunded["refund"]["refund"]["status"],
  replayed: boolean
): number => {
  if (status === "COMPLETED") return replayed ? 200 : 201
  return status === "FAILED" && refund === "REJECTED" ? 422 : 503
}

const carriesOn = (stored: Refunded["refund"], status: ReturnType<typeof refundStatusOf>): boolean =>
  status === "REFUND_PENDING" ||
  mayCopyBeSent({ refund: stored.refund.status, copyDue: stored.copyId !== null, copy: stored.copy?.status ?? null }, "caller")
