import { Result } from "effect"
import type { WorkflowId } from "../tenancy/identifiers.ts"
import { ProformaTrainingSourceAlreadyRefunded, ProformaTrainingWorkflowReservationConflict } from "./errors.ts"
import type { ProformaTrainingStatus } from "./ProformaTrainingWorkflow.ts"

/** The facts of one refund of a source that the next refund depends on. */
export interface SourceRefund {
  readonly workflowId: WorkflowId
  readonly status: ProformaTrainingStatus
}

/** Whether a refund blocks other refunds of its source: all but a failed one (Decisions §5: FAILED frees). */
export const claimsSource = (refund: SourceRefund): boolean => refund.status !== "FAILED"

/**
 * Whether `workflowId` may refund the source, given the refunds the source already has. Its own earlier reservation does not block it, so its key can
 * drive it again. A completed refund is reported before one in flight.
 * Source: Spec, Errors, Catalogue; Decisions §5, Proforma and training.
 */
export const claimSource = (
  workflowId: WorkflowId,
  refunds: ReadonlyArray<SourceRefund>
): Result.Result<void, ProformaTrainingSourceAlreadyRefunded | ProformaTrainingWorkflowReservationConflict> => {
  const others = refunds.filter((refund) => refund.workflowId !== workflowId && claimsSource(refund))
  const done = others.find(({ status }) => status === "COMPLETED")
  if (done !== undefined) return Result.fail(new ProformaTrainingSourceAlreadyRefunded({ workflowId: done.workflowId }))
  const [open] = others
  return open === undefined
    ? Result.succeed(undefined)
    : Result.fail(new ProformaTrainingWorkflowReservationConflict({ workflowId: open.workflowId }))
}
