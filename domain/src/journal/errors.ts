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
