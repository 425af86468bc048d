import { Schema } from "effect"

/** A buyer as stored with a document; the forms of both fields are checked in `BuyerId.ts`. */
export const Buyer = Schema.Struct({
  id: Schema.NullOr(Schema.String),
  optionalField: Schema.NullOr(Schema.String)
})
export interface Buyer extends Schema.Schema.Type<typeof Buyer> {}

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

/** The cashier printed on the receipt: id 1..50, displayName 1..100 code points (Decisions §1, Bounds). */
export const Cashier = Schema.Struct({
  id: Schema.String.check(Schema.isBetweenCodePoints(1, 50)),
  displayName: Schema.NullOr(Schema.String.check(Schema.isBetweenCodePoints(1, 100)))
})
export interface Cashier extends Schema.Schema.Type<typeof Cashier> {}
