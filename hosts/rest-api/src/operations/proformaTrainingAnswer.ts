import type { Operation } from "@overa/domain"
import { retryableOf } from "@overa/domain"
import type { Answer } from "../http/Operation.ts"
import { proformaTrainingJson } from "../json/proformaTrainingJson.ts"
import { issuedStatus, retrySeconds } from "./issuedAnswer.ts"

/**
 * The answer to a proforma or training request: 201 signed by this request, 200 signed before, 422 rejected, 503 everything else.
 * Source: Decisions §5, Proforma and training.
 */
export const proformaTrainingAnswer = (issued: { readonly operation: Operation; readonly replayed: boolean }): Answer => {
  const { operation, replayed } = issued
  const status = issuedStatus(operation.status, replayed)
  return {
    status,
    headers: {
      ...(replayed ? { "Idempotency-Replayed": "true" } : {}),
      ...(status === 201 ? { Location: `/v1/proforma-training-workflows/${operation.workflow?.id}` } : {}),
      ...(retryableOf(operation.status, operation.failureCode) ? { "Retry-After": retrySeconds } : {})
    },
    json: proformaTrainingJson(operation),
    operationId: operation.id
  }
}
