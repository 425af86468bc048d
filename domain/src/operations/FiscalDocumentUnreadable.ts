import { Schema } from "effect"

/**
 * A stored operation that this release cannot read: the row was changed by other means, or an older release wrote something this one no longer knows.
 * Stores throw it as a defect, because no use case can continue without the operation; hosts answer it with its code. Nobody can tell from such a row
 * whether a receipt exists, so nothing is ever sent in its place.
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
