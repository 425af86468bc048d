import { cashCopyOf, type Conclusion, copyDueAfterMillis, holdsFollow, type Operation } from "@overa/domain"
import { Effect } from "effect"
import { operationById } from "../operations/readers.ts"
import type { PgStatements } from "../PgDatabase.ts"
import { decodeOperation, type OperationRow } from "../rows/OperationRow.ts"
import { entriesOf, moveAccount, raiseOverRefunded } from "./refundLedger.ts"
import { reserveCopy } from "./reserveCopy.ts"

interface WorkflowRow {
  readonly original_id: string
  readonly refund_id: string
  readonly copy_id: string | null
  readonly holds: "HELD" | "CONSUMED" | "RELEASED"
}

const workflowOf = `select original_id, refund_id, copy_id, holds from refund_workflows
  where organization_id = $1 and workflow_id = $2 for update`
const setHolds = `update refund_workflows set holds = $3 where organization_id = $1 and workflow_id = $2`
const lockLines = `select line_index from refund_lines where organization_id = $1 and original_id = $2 order by line_index for update`

type About = Pick<Conclusion, "at" | "operationId" | "organizationId">

/** Changes the ledger with the refund document: released when it will not be a receipt, taken again when it is one after all, or may be. */
const settleHolds = Effect.fnUntraced(function*(
  statements: PgStatements,
  conclusion: About,
  workflowId: string,
  workflow: WorkflowRow,
  status: Operation["status"]
) {
  const holds = holdsFollow(status)
  if (holds === workflow.holds) return
  yield* statements.query(setHolds, [conclusion.organizationId, workflowId, holds])
  if (holds === "CONSUMED" && workflow.holds === "HELD") return
  const entries = yield* entriesOf(statements, conclusion.organizationId, workflowId)
  const original = { organizationId: conclusion.organizationId, id: workflow.original_id }
  // Locked line by line in the same order as a reservation, to avoid a deadlock between the two.
  yield* statements.query(lockLines, [original.organizationId, original.id])
  const moved = yield* moveAccount(statements, original, entries, {
    direction: holds === "RELEASED" ? -1 : 1,
    evenTooMuch: holds !== "RELEASED"
  })
  if (holds !== "RELEASED") yield* raiseOverRefunded(statements, conclusion, workflow.original_id, moved)
})

/** A refund in doubt holds its quantities again, even if other refunds took them, until a person has looked. `status` is the status that is told. */
export const followRefund = Effect.fnUntraced(function*(statements: PgStatements, about: About, workflowId: string, status: Operation["status"]) {
  const [workflow] = yield* statements.query<WorkflowRow>(workflowOf, [about.organizationId, workflowId])
  if (workflow?.refund_id === about.operationId) yield* settleHolds(statements, about, workflowId, workflow, status)
})

/**
 * What concluding a refund document changes in the same commit: its hold on the quantities, and its copy, reserved unsent. Concluding the copy itself
 * changes nothing more. Source: Decisions §5, Refund workflow (2).
 */
export const settleRefund = Effect.fnUntraced(function*(statements: PgStatements, conclusion: Conclusion, workflowId: string) {
  const [workflow] = yield* statements.query<WorkflowRow>(workflowOf, [conclusion.organizationId, workflowId])
  if (workflow === undefined || workflow.refund_id !== conclusion.operationId) return
  const [row] = yield* statements.query<OperationRow>(operationById, [conclusion.organizationId, conclusion.operationId])
  if (row === undefined) return
  const refund = decodeOperation(row)
  yield* settleHolds(statements, conclusion, workflowId, workflow, refund.status)
  const copy = workflow.copy_id === null ? null : cashCopyOf(refund, workflow.copy_id as Operation["id"], conclusion.at, conclusion.actor)
  if (copy !== null) yield* reserveCopy(statements, conclusion, copy, copyDueAfterMillis(conclusion.event))
})
