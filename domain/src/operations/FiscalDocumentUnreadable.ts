import { Schema } from "effect"

/**
 * A stored operation that this release cannot read: the row was changed by other means, or an older release wrote what this one no longer
 * knows. Stores throw it as a defect, for nothing in the domain can go on without the operation; hosts answer it by its code. Whether a
 * receipt exists is not known to whoever meets it, so nothing is ever sent in its place.
 */
export class FiscalDocumentUnreadable extends Schema.TaggedError<FiscalDocumentUnreadable>()("FiscalDocumentUnreadable", {
  operationId: Schema.String,
  cause: Schema.Defect()
}) {
  readonly code = "FISCAL_DOCUMENT_UNREADABLE"

  override get message(): string {
    return `The stored document ${this.operationId} cannot be read; nothing was sent or changed.`
  }
}
