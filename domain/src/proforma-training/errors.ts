import { Schema } from "effect"

/**
 * Another refund of the same source is unresolved, or was reserved first. `workflowId` is that refund's. Source: Spec, Errors, Catalogue; Decisions
 * §5, Proforma and training.
 */
export class ProformaTrainingWorkflowReservationConflict
  extends Schema.TaggedError<ProformaTrainingWorkflowReservationConflict>()("ProformaTrainingWorkflowReservationConflict", {
    workflowId: Schema.String
  })
{
  readonly code = "PROFORMA_TRAINING_WORKFLOW_RESERVATION_CONFLICT"
}

/** The workflow `workflowId` has refunded the source already; a refund always covers the whole source. Source: Spec, Errors, Catalogue. */
export class ProformaTrainingSourceAlreadyRefunded
  extends Schema.TaggedError<ProformaTrainingSourceAlreadyRefunded>()("ProformaTrainingSourceAlreadyRefunded", {
    workflowId: Schema.String
  })
{
  readonly code = "PROFORMA_TRAINING_SOURCE_ALREADY_REFUNDED"
}

/** No proforma or training workflow of this id for the caller's organization and environment. Source: Decisions §1. */
export class WorkflowNotFound extends Schema.TaggedError<WorkflowNotFound>()("WorkflowNotFound", {
  workflowId: Schema.String
}) {
  readonly code = "WORKFLOW_NOT_FOUND"
}
