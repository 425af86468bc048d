import { mayCopyBeSent, type Refunded, refundStatusOf } from "@overa/domain"
import { refundWorkflowJson } from "../contract/refundSchemas.ts"
import type { Answer } from "../http/Operation.ts"
import { keyedHeaders, type NextStep } from "./keyedHeaders.ts"

/**
 * The answer to a refund: 201 completed by this request, 200 completed before, 422 when the V-PFR rejected the refund, 503 for every other state.
 * A failed workflow is final (Decisions §3), and a rejected copy waits for an operator: neither has `Retry-After`.
 */
export const refundAnswer = ({ refund: stored, replayed }: Refunded): Answer => {
  const workflow = refundStatusOf(stored)
  const status = statusOf(workflow, stored.refund.status, replayed)
  return {
    status,
    headers: keyedHeaders({ status, replayed, resource: `/v1/refund-workflows/${stored.id}`, next: nextStepOf(stored, workflow) }),
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

const nextStepOf = (stored: Refunded["refund"], workflow: ReturnType<typeof refundStatusOf>): NextStep => {
  const documents = { refund: stored.refund.status, copyDue: stored.copyId !== null, copy: stored.copy?.status ?? null }
  if (workflow === "REFUND_PENDING" || mayCopyBeSent(documents, "caller")) return "sameKey"
  return workflow === "REFUND_OUTCOME_UNKNOWN" || workflow === "COPY_OUTCOME_UNKNOWN" ? "ask" : "nothing"
}
