import { Schema } from "effect"
import { Dinars, Quantity } from "../money/Dinars.ts"

/** A line as stored with a document, already proven (bounds and rules: `requests/`). Source: Spec, Resources, LineItem. */
export const LineItem = Schema.Struct({
  name: Schema.String,
  unitOfMeasure: Schema.NullOr(Schema.String),
  quantity: Quantity,
  unitPrice: Dinars,
  unitPriceBeforeDiscount: Schema.NullOr(Dinars),
  gtin: Schema.NullOr(Schema.String),
  catalogProductId: Schema.NullOr(Schema.String),
  taxLabels: Schema.Array(Schema.String),
  /** Only on a refund: the line of the original it gives back. */
  originalLineIndex: Schema.NullOr(Schema.Int),
  /** Only on a refund whose money is what is left of its line and not quantity × price (Decisions §5, Money); read by `lineAmount`. */
  signedAmount: Schema.optionalKey(Dinars)
})
export interface LineItem extends Schema.Schema.Type<typeof LineItem> {}
