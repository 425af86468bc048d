import { claimsSource, type Conclusion, type Operation, proformaTrainingStatus, statusInDoubt, type WorkflowId } from "@overa/domain"
import { Effect } from "effect"
import { statusAfter } from "../operations/concludeStatement.ts"
import type { PgStatements } from "../PgDatabase.ts"

const release = `update proforma_training_documents set claim = 'RELEASED'
  where organization_id = $1 and workflow_id = $2 and claim = 'HELD'`
const doubtOf = "select in_doubt from operations where organization_id = $1 and operation_id = $2"
const claimOf = "select source_id, claim from proforma_training_documents where organization_id = $1 and workflow_id = $2 for update"
const holdsSource = "select workflow_id from proforma_training_documents where organization_id = $1 and source_id = $2 and claim = 'HELD'"
const hold = "update proforma_training_documents set claim = 'HELD' where organization_id = $1 and workflow_id = $2"

const claims = (workflowId: string, status: Operation["status"]): boolean =>
  claimsSource({ workflowId: workflowId as WorkflowId, status: proformaTrainingStatus(status) })

/** A rejected refund frees its source for another one, in the commit that stores the rejection; not while it is in doubt. Source: Decisions §5. */
export const settleProformaTraining = Effect.fnUntraced(function*(statements: PgStatements, conclusion: Conclusion, workflowId: string) {
  const { event, operationId, organizationId } = conclusion
  const status = statusAfter(event)
  if (claims(workflowId, status)) return
  const [row] = yield* statements.query<{ readonly in_doubt: boolean }>(doubtOf, [organizationId, operationId])
  if (row?.in_doubt === true && claims(workflowId, statusInDoubt(status))) return
  yield* statements.query(release, [organizationId, workflowId])
})

interface ClaimRow {
  readonly source_id: string | null
  readonly claim: "NONE" | "HELD" | "RELEASED"
}

/** A refund in doubt claims its source again, unless another one has it by then. `status` is the status that is told. */
export const followProformaTraining = Effect.fnUntraced(function*(
  statements: PgStatements,
  organizationId: string,
  workflowId: string,
  status: Operation["status"]
) {
  const [row] = yield* statements.query<ClaimRow>(claimOf, [organizationId, workflowId])
  if (row === undefined || row.claim === "NONE") return
  if (!claims(workflowId, status)) {
    yield* statements.query(release, [organizationId, workflowId])
    return
  }
  const others = row.claim === "HELD" ? [] : yield* statements.query(holdsSource, [organizationId, row.source_id])
  if (row.claim === "RELEASED" && others.length === 0) yield* statements.query(hold, [organizationId, workflowId])
})
