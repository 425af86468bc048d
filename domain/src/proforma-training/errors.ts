import { Schema } from "effect"

/**
 * Another refund of the same source is not resolved, or won the race for it. `workflowId` is that refund's. Source: Spec, Errors,
 * Catalogue; Decisions §5, Proforma and training.
 */
export class ProformaTrainingWorkflowReservationConflict
  extends Schema.TaggedError<ProformaTrainingWorkflowReservationConflict>()("ProformaTrainingWorkflowReservationConflict", {
    workflowId: Schema.String
  })
{
  readonly code = "PROFORMA_TRAINING_WORKFLOW_RESERVATION_CONFLICT"
}

/** The source is given back already, by the workflow of this id; a refund is always the whole. Source: Spec, Errors, Catalogue. */
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
