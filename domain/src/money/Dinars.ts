import { BigDecimal, Schema } from "effect"
import { hasAtMostDecimals } from "./decimals.ts"

/** The Schema check of {@link hasAtMostDecimals}. */
export const atMostDecimals = (scale: number) =>
  Schema.makeFilter<BigDecimal.BigDecimal>((value) => hasAtMostDecimals(value, scale), {
    expected: `at most ${scale} decimals`
  })

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

/** A quantity of goods: 0.001 to 99 999 999 999.999 in steps of 0.001. Source: Spec, Limits. */
export const Quantity = Schema.BigDecimal.check(
  Schema.isBetweenBigDecimal({
    minimum: BigDecimal.fromStringUnsafe("0.001"),
    maximum: BigDecimal.fromStringUnsafe("99999999999.999")
  }),
  atMostDecimals(3)
).pipe(Schema.brand("Quantity"))
export type Quantity = typeof Quantity.Type
