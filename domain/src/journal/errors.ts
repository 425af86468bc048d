import { Schema } from "effect"

/** More operations match an export's filters than one file may hold. Source: Spec, Limits; Spec, Errors, Catalogue. */
export class JournalExportResultLimitExceeded
  extends Schema.TaggedError<JournalExportResultLimitExceeded>()("JournalExportResultLimitExceeded", {
    /** How many may match. */
    limit: Schema.Int
  })
{
  readonly code = "JOURNAL_EXPORT_RESULT_LIMIT_EXCEEDED"
}

/** No checkpoint of the tenant's log is cosigned by all witnesses: the installation has none, or they have not cosigned one yet. */
export class CosignedCheckpointNotFound extends Schema.TaggedError<CosignedCheckpointNotFound>()("CosignedCheckpointNotFound", {}) {
  readonly code = "COSIGNED_CHECKPOINT_NOT_FOUND"
}
