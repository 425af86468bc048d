import { Schema } from "effect"

/** What the national company register knows about a domestic buyer. Source: Spec, Resources, BuyerDetails; Decisions §5, Values. */
export const BuyerDetails = Schema.Struct({
  legalName: Schema.String.check(Schema.isMaxCodePoints(350)),
  taxIdentifier: Schema.String.check(Schema.isPattern(/^\d{9}$/)),
  registrationNumber: Schema.NullOr(Schema.String.check(Schema.isPattern(/^\d{8}$/))),
  address: Schema.NullOr(Schema.String.check(Schema.isMaxCodePoints(300))),
  city: Schema.NullOr(Schema.String.check(Schema.isMaxCodePoints(100))),
  source: Schema.Literal("NBS"),
  resolvedAt: Schema.DateTimeUtc
})
export interface BuyerDetails extends Schema.Schema.Type<typeof BuyerDetails> {}
