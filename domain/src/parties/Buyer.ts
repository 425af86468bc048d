import { Schema } from "effect"

/** A buyer as stored with a document; the forms of both fields are checked in `BuyerId.ts` and `BuyerOptionalField.ts`. */
export const Buyer = Schema.Struct({
  id: Schema.NullOr(Schema.String),
  optionalField: Schema.NullOr(Schema.String)
})
export interface Buyer extends Schema.Schema.Type<typeof Buyer> {}
