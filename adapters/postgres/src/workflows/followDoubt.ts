import { type Conclusion, type Operation, statusInDoubt, type WorkflowLink } from "@overa/domain"
import { Effect } from "effect"
import type { PgStatements } from "../PgDatabase.ts"
import { followRefund } from "../refunds/settleRefund.ts"
import { followProformaTraining } from "./settleProformaTraining.ts"

interface Row {
  readonly status: Operation["status"]
  readonly in_doubt: boolean
  readonly workflow_type: WorkflowLink["type"] | null
  readonly workflow_id: string | null
}

const documentOf = "select status, in_doubt, workflow_type, workflow_id from operations where organization_id = $1 and operation_id = $2"

/**
 * What a workflow keeps of its document's status follows the status that is told, in the commit that raises or acknowledges an item: a refund that may
 * have a receipt after all holds what it gives back.
 */
export const followDoubt = Effect.fnUntraced(function*(statements: PgStatements, about: Pick<Conclusion, "at" | "operationId" | "organizationId">) {
  const [row] = yield* statements.query<Row>(documentOf, [about.organizationId, about.operationId])
  if (row === undefined || row.workflow_id === null) return
  const status = row.in_doubt ? statusInDoubt(row.status) : row.status
  if (row.workflow_type === "REFUND") yield* followRefund(statements, about, row.workflow_id, status)
  if (row.workflow_type === "PROFORMA_TRAINING") yield* followProformaTraining(statements, about.organizationId, row.workflow_id, status)
})
