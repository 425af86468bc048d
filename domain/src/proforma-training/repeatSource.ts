import { BigDecimal, Result } from "effect"
import type { LineItem } from "../documents/LineItem.ts"
import { formatDecimal } from "../money/decimals.ts"
import { RefundItemMustMatchOriginalLine } from "../refunds/errors.ts"
import { differingFields, mustRepeat } from "../refunds/differingFields.ts"
import { pointerOf } from "../requests/Fault.ts"

type Detail = RefundItemMustMatchOriginalLine["details"][number]

const detail = (index: number, path: ReadonlyArray<PropertyKey>, message: string): Detail => ({
  pointer: pointerOf(path),
  message,
  itemIndex: index,
  originalLineIndex: index
})

const differences = (item: LineItem, line: LineItem, index: number): ReadonlyArray<Detail> => {
  const fields = differingFields(item, line).map((field) => detail(index, ["items", index, field], mustRepeat(line, field)))
  if (BigDecimal.equals(item.quantity, line.quantity)) return fields
  const quantity = `must be ${formatDecimal(line.quantity)}, as on the original's line: the whole document is given back`
  return [...fields, detail(index, ["items", index, "quantity"], quantity)]
}

/**
 * The items of a proforma or training refund: all of the source, in its order, each with the line it gives back. Items that differ, are missing or
 * are too many are refused, with every such place. Source: Spec, refund-workflows, Related; Decisions §5, Proforma and training.
 */
export const repeatSource = (
  source: ReadonlyArray<LineItem>,
  items: ReadonlyArray<LineItem>
): Result.Result<ReadonlyArray<LineItem>, RefundItemMustMatchOriginalLine> => {
  const repeated = items.flatMap((item, index) => {
    const line = source[index]
    return line === undefined
      ? [detail(index, ["items", index], `must be left out: the original has ${source.length} items`)]
      : differences(item, line, index)
  })
  const missing = source.slice(items.length).map((line, at) =>
    detail(items.length + at, ["items"], `must repeat the original's line ${items.length + at}, ${JSON.stringify(line.name)}, too`)
  )
  const details = [...repeated, ...missing]
  return details.length > 0
    ? Result.fail(new RefundItemMustMatchOriginalLine({ details }))
    : Result.succeed(items.map((item, originalLineIndex) => ({ ...item, originalLineIndex })))
}
