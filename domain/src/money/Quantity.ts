import { BigDecimal, Schema } from "effect"
import { atMostDecimals } from "./decimals.ts"

/** A quantity of goods: 0.001 to 99 999 999 999.999 in steps of 0.001. Source: Spec, Limits. */
export const Quantity = Schema.BigDecimal.check(
  Schema.isBetweenBigDecimal({
    minimum: BigDecimal.fromStringUnsafe("0.001"),
    maximum: BigDecimal.fromStringUnsafe("99999999999.999")
  }),
  atMostDecimals(3)
).pipe(Schema.brand("Quantity"))
export type Quantity = typeof Quantity.Type
