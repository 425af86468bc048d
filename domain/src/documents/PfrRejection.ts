import { Schema } from "effect"

/** Which fields of the caller's request the V-PFR refused: at most 10 items of at most 5 codes, paths up to 120 characters. */
export const PfrRejection = Schema.Struct({
  items: Schema.Array(
    Schema.Struct({
      property: Schema.String.check(Schema.isMaxCodePoints(120)),
      codes: Schema.Array(Schema.String).check(Schema.isMaxLength(5))
    })
  ).check(Schema.isMaxLength(10))
})
export interface PfrRejection extends Schema.Schema.Type<typeof PfrRejection> {}
