import { claimsSource, type Conclusion, proformaTrainingStatus, type WorkflowId } from "@overa/domain"
import { Effect } from "effect"
import { statusAfter } from "../operations/concludeStatement.ts"
import type { PgStatements } from "../PgDatabase.ts"

const release = `update proforma_training_documents set claim = 'RELEASED'
  where organization_id = $1 and workflow_id = $2 and claim = 'HELD'`

/** A rejected refund frees its source for another one, in the commit that stores the rejection. Source: Decisions §5. */
export const settleProformaTraining = Effect.fnUntraced(function*(statements: PgStatements, conclusion: Conclusion, workflowId: string) {
  const status = proformaTrainingStatus(statusAfter(conclusion.event))
  if (claimsSource({ workflowId: workflowId as WorkflowId, status })) return
  yield* statements.query(release, [conclusion.organizationId, workflowId])
})
