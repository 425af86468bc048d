import { BigDecimal } from "effect"
import type { Payment } from "../documents/Payment.ts"
import { formatDecimal } from "../money/decimals.ts"
import type { Fault } from "../requests/Fault.ts"
import { totalsFault } from "../requests/totalsRule.ts"

/**
 * The fault of a refund whose payments do not sum to its items' money, with the amount expected; null when they do. The money of a
 * refund depends on what the line has left, so only the ledger can judge it. Source: Spec, Refunds rule 4; Decisions §5, Money.
 */
export const refundTotalsFault = (total: BigDecimal.BigDecimal, payments: ReadonlyArray<Payment>): Fault | null => {
  const paid = BigDecimal.sumAll(payments.map((payment) => payment.amount))
  if (BigDecimal.equals(paid, total)) return null
  return totalsFault(
    `the refunded items come to ${formatDecimal(total, 2)}, the payments to ${formatDecimal(paid, 2)}; they must be equal`
  )
}
