import type { Operation } from "@overa/domain"
import { retryableOf } from "@overa/domain"
import type { Answer } from "../http/Operation.ts"
import { proformaTrainingJson } from "../json/proformaTrainingJson.ts"
import { issuedStatus, nextStepOf } from "./issuedAnswer.ts"
import { keyedHeaders } from "./keyedHeaders.ts"

/**
 * The answer to a proforma or training request: 201 signed by this request, 200 signed before, 422 rejected, 503 everything else.
 * Source: Decisions §5, Proforma and training.
 */
export const proformaTrainingAnswer = ({ operation, replayed }: { readonly operation: Operation; readonly replayed: boolean }): Answer => {
  const status = issuedStatus(operation.status, replayed)
  const next = nextStepOf({ status: operation.status, retryable: retryableOf(operation.status, operation.failureCode) })
  return {
    status,
    headers: keyedHeaders({ status, replayed, resource: `/v1/proforma-training-workflows/${operation.workflow?.id}`, next }),
    json: proformaTrainingJson(operation),
    operationId: operation.id
  }
}
