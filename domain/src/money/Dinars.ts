import { BigDecimal, Schema } from "effect"
import { atMostDecimals } from "./decimals.ts"

/** The largest price, line, payment or total the service accepts (Decisions §1). */
export const maximumDinars = BigDecimal.fromStringUnsafe("999999999999.99")

/**
 * An amount of money in Serbian dinars, gross, never negative, at most two decimals (one para), up to 999 999 999 999.99.
 * Source: Spec, Limits; Decisions §1.
 */
export const Dinars = Schema.BigDecimal.check(
  Schema.isBetweenBigDecimal({ minimum: BigDecimal.fromBigInt(0n), maximum: maximumDinars }),
  atMostDecimals(2)
).pipe(Schema.brand("Dinars"))
export type Dinars = typeof Dinars.Type
