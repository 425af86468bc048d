import { Schema } from "effect"

const fault = {
  /** RFC 6901, to the exact value of the request, as in a problem's `details` (Decisions §1). */
  pointer: Schema.String,
  message: Schema.String
}

const line = {
  ...fault,
  /** Zero-based place of the item in the refund request. */
  itemIndex: Schema.Int,
  /** Zero-based line of the original receipt. */
  originalLineIndex: Schema.Int
}

/** Items that name a line which the original receipt does not have. Source: Spec, Errors, Catalogue. */
export class RefundOriginalLineNotFound
  extends Schema.TaggedError<RefundOriginalLineNotFound>()("RefundOriginalLineNotFound", {
    details: Schema.Array(Schema.Struct(line))
  })
{
  readonly code = "REFUND_ORIGINAL_LINE_NOT_FOUND"
}

/** Items that do not repeat their original line, one detail per field that differs. Source: Spec, Refunds rule 2. */
export class RefundItemMustMatchOriginalLine
  extends Schema.TaggedError<RefundItemMustMatchOriginalLine>()("RefundItemMustMatchOriginalLine", {
    details: Schema.Array(Schema.Struct(line))
  })
{
  readonly code = "REFUND_ITEM_MUST_MATCH_ORIGINAL_LINE"
}

const quantities = {
  ...fault,
  originalLineIndex: Schema.Int,
  /** The quantity of the line that this request gives back, all its items together. */
  quantity: Schema.BigDecimal,
  quantityOriginal: Schema.BigDecimal,
  /** The quantity that earlier refunds have left. */
  quantityRefundable: Schema.BigDecimal
}

/** Lines of which more is given back than was ever sold. Source: Spec, Errors, Catalogue. */
export class RefundQuantityExceedsOriginal
  extends Schema.TaggedError<RefundQuantityExceedsOriginal>()("RefundQuantityExceedsOriginal", {
    details: Schema.Array(Schema.Struct(quantities))
  })
{
  readonly code = "REFUND_QUANTITY_EXCEEDS_ORIGINAL"
}

/** Lines of which more is given back than earlier refunds have left. Source: Spec, Refunds rule 2. */
export class RefundCumulativeQuantityExceeded
  extends Schema.TaggedError<RefundCumulativeQuantityExceeded>()("RefundCumulativeQuantityExceeded", {
    details: Schema.Array(Schema.Struct(quantities))
  })
{
  readonly code = "REFUND_CUMULATIVE_QUANTITY_EXCEEDED"
}

/** No refund workflow of this id for the caller's organization and environment. Source: Decisions §1. */
export class RefundWorkflowNotFound extends Schema.TaggedError<RefundWorkflowNotFound>()("RefundWorkflowNotFound", {
  workflowId: Schema.String
}) {
  readonly code = "REFUND_WORKFLOW_NOT_FOUND"
}
