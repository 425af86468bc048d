import { BigDecimal } from "effect"
import * as fc from "fast-check"
import type { LineItem } from "../../src/documents/LineItem.ts"
import { Quantity } from "../../src/money/Dinars.ts"
import type { RefundItem } from "../../src/refunds/RefundWorkflow.ts"
import { WorkflowId } from "../../src/tenancy/identifiers.ts"

/** A line of a receipt given back: everything repeated but the quantity. */
export const refundOf = (line: LineItem, originalLineIndex: number, quantity: BigDecimal.BigDecimal): RefundItem => ({
  ...line,
  quantity: Quantity.make(quantity),
  originalLineIndex
})

/** Splits a quantity into `parts` of at least a thousandth each, in any order in which a customer may return them. */
export const partsOf = (quantity: BigDecimal.BigDecimal): fc.Arbitrary<ReadonlyArray<BigDecimal.BigDecimal>> => {
  const thousandths = Number(BigDecimal.format(BigDecimal.multiply(quantity, BigDecimal.fromBigInt(1000n))))
  return fc
    .uniqueArray(fc.integer({ min: 1, max: thousandths }), { maxLength: 8 })
    .map((cuts) => {
      const bounds = [0, ...cuts.filter((cut) => cut < thousandths).sort((left, right) => left - right), thousandths]
      return bounds.slice(1).map((bound, at) => BigDecimal.make(BigInt(bound - (bounds[at] ?? 0)), 3))
    })
    .chain((parts) => fc.shuffledSubarray(parts, { minLength: parts.length, maxLength: parts.length }))
}

/** The workflow of a number, for histories. */
export const workflowId = (number: number): WorkflowId =>
  WorkflowId.make(`01900004-0000-7000-8000-${number.toString(16).padStart(12, "0")}`)
