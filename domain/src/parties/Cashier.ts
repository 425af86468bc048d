import { Schema } from "effect"

/** The cashier printed on the receipt: id 1..50, displayName 1..100 code points (Decisions §1, Bounds). */
export const Cashier = Schema.Struct({
  id: Schema.String.check(Schema.isBetweenCodePoints(1, 50)),
  displayName: Schema.NullOr(Schema.String.check(Schema.isBetweenCodePoints(1, 100)))
})
export interface Cashier extends Schema.Schema.Type<typeof Cashier> {}
