import { BigDecimal, Schema } from "effect"
import { hasAtMostDecimals } from "../money/decimals.ts"
import { maximumDinars } from "../money/Dinars.ts"
import { formatDecimal } from "../money/formatDecimal.ts"

const zero = BigDecimal.fromBigInt(0n)
const smallestQuantity = BigDecimal.fromStringUnsafe("0.001")
const largestQuantity = BigDecimal.fromStringUnsafe("99999999999.999")

interface NumberBounds {
  readonly minimum: BigDecimal.BigDecimal
  /** The minimum itself is refused too. */
  readonly exclusive?: true
  readonly maximum: BigDecimal.BigDecimal
  /** Most digits after the point; undefined where the V-PFR checks them. */
  readonly decimals?: number
}

/** What is wrong with a number, or undefined. */
const numberFault = (value: BigDecimal.BigDecimal, bounds: NumberBounds): string | undefined => {
  if (bounds.exclusive === true && !BigDecimal.isGreaterThan(value, bounds.minimum)) return `must be more than ${formatDecimal(bounds.minimum)}`
  if (BigDecimal.isLessThan(value, bounds.minimum)) return `must be at least ${formatDecimal(bounds.minimum)}`
  if (BigDecimal.isGreaterThan(value, bounds.maximum)) return `must be at most ${formatDecimal(bounds.maximum)}`
  if (bounds.decimals !== undefined && !hasAtMostDecimals(value, bounds.decimals)) {
    return `must have at most ${bounds.decimals} decimals`
  }
  return undefined
}

/** A bound or a step as a JSON number: all bounds have few enough digits. */
const jsonNumber = (value: BigDecimal.BigDecimal): number => Number(formatDecimal(value))

const boundsInJsonSchema = ({ decimals, exclusive, maximum, minimum }: NumberBounds) => ({
  type: decimals === 0 ? "integer" : "number",
  ...(exclusive === true ? { exclusiveMinimum: jsonNumber(minimum) } : { minimum: jsonNumber(minimum) }),
  maximum: jsonNumber(maximum),
  ...(decimals === undefined || decimals === 0 ? {} : { multipleOf: jsonNumber(BigDecimal.make(1n, decimals)) })
})

/** The contract uses numbers, the decoders use decimals: both have these bounds. */
const numberField = (bounds: NumberBounds) =>
  Schema.BigDecimal.annotate({ expected: "a number" }).check(
    Schema.makeFilter((value: BigDecimal.BigDecimal) => numberFault(value, bounds), {
      toJsonSchema: () => boundsInJsonSchema(bounds)
    })
  )

/** A price or other amount of ours: 0 to 999 999 999 999.99, at most two decimals (Decisions §1, Bounds). */
export const dinarsField = numberField({ minimum: zero, maximum: maximumDinars, decimals: 2 })

/** An amount as in `dinarsField`, but not 0. */
export const positiveDinarsField = numberField({ minimum: zero, exclusive: true, maximum: maximumDinars, decimals: 2 })

/** A payment's amount. More than two decimals go to the V-PFR, which answers 2804 (Spec, Resources, Payment; Decisions §1). */
export const paymentAmountField = numberField({ minimum: zero, maximum: maximumDinars })

/** 0.001 to 99 999 999 999.999 in steps of 0.001 (Spec, Limits). */
export const quantityField = numberField({ minimum: smallestQuantity, maximum: largestQuantity, decimals: 3 })

/** The index of a line: a whole number from 0. */
export const indexField = numberField({ minimum: zero, maximum: BigDecimal.fromBigInt(999_999n), decimals: 0 })
