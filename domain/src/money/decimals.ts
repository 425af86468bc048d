import { BigDecimal, Schema } from "effect"

/** Whether a decimal is written with no more than `scale` digits after the point, trailing zeros aside. */
export const hasAtMostDecimals = (value: BigDecimal.BigDecimal, scale: number): boolean =>
  // Stryker disable next-line ConditionalExpression,EqualityOperator: only quicker; what follows says the same of such a value.
  value.scale <= scale || BigDecimal.normalize(value).scale <= scale

/** The Schema check of {@link hasAtMostDecimals}. */
export const atMostDecimals = (scale: number) =>
  Schema.makeFilter<BigDecimal.BigDecimal>((value) => hasAtMostDecimals(value, scale), {
    expected: `at most ${scale} decimals`
  })
