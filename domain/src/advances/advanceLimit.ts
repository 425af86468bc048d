import { BigDecimal } from "effect"
import type { LineItem } from "../documents/LineItem.ts"
import { maximumDinars } from "../money/Dinars.ts"
import { formatDecimal } from "../money/formatDecimal.ts"
import { totalAmount } from "../money/lineAmount.ts"
import type { Fault } from "../requests/Fault.ts"
import { totalsFault } from "../requests/totalsRule.ts"
import { totalAdvance } from "./advanceArithmetic.ts"
import type { ExternalAdvance } from "./AdvanceCase.ts"
import type { AdvanceSale } from "./advanceChain.ts"

/**
 * The fault of a payment that would raise the total advance above the largest total of one document; null when it fits. The Advance Refund of the
 * closing gives the whole advance back in one document, so a larger advance could be taken but never closed. Source: Decisions §1, Bounds.
 */
export const advanceLimitFault = (
  sales: ReadonlyArray<AdvanceSale>,
  external: ExternalAdvance | null,
  items: ReadonlyArray<LineItem>
): Fault | null => {
  const total = BigDecimal.sum(totalAdvance(sales, external), totalAmount(items))
  return BigDecimal.isGreaterThan(total, maximumDinars)
    ? totalsFault(`the advances of the case must come to at most ${formatDecimal(maximumDinars, 2)} together, not ${formatDecimal(total, 2)}`)
    : null
}
