import { Result } from "effect"
import type { WorkflowId } from "../tenancy/identifiers.ts"
import { ProformaTrainingSourceAlreadyRefunded, ProformaTrainingWorkflowReservationConflict } from "./errors.ts"
import type { ProformaTrainingStatus } from "./ProformaTrainingWorkflow.ts"

/** A refund of a source, as far as it matters to the next one. */
export interface SourceRefund {
  readonly workflowId: WorkflowId
  readonly status: ProformaTrainingStatus
}

/** Whether a refund keeps its source from every other: all but a failed one (Decisions §5: FAILED frees). */
export const claimsSource = (refund: SourceRefund): boolean => refund.status !== "FAILED"

/**
 * Whether `workflowId` may give the source back, next to the refunds the source already has. Its own earlier reservation never stands
 * in its way, so that its key drives it again. A completed refund refuses before one that is under way.
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
