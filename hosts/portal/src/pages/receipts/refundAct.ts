import { bodyOf, decodeRefundRequest, type Operation, type RefundItem, refundSale } from "@overa/domain"
import { type BigDecimal, Effect } from "effect"
import type { MemberVisit } from "../../http/Visit.ts"
import { keyedRequestOf } from "./issueForm.ts"
import type { AskedRefund } from "./refundForm.ts"

/** A line as a request names it; a member that is null counts as absent. */
const itemOf = ({ catalogProductId, gtin, name, originalLineIndex, quantity, taxLabels, unitOfMeasure, unitPrice, unitPriceBeforeDiscount }: RefundItem) =>
  ({ catalogProductId, gtin, name, originalLineIndex, quantity, taxLabels, unitOfMeasure, unitPrice, unitPriceBeforeDiscount })

const refundBody = (original: Operation, asked: AskedRefund, total: BigDecimal.BigDecimal): unknown =>
  bodyOf({
    taxpayerId: original.taxpayerId,
    businessPremiseId: original.businessPremiseId,
    clientReference: original.content.clientReference,
    original: { source: "SVC", fiscalDocumentId: original.id },
    cashier: { id: asked.cashier },
    buyer: { id: asked.buyerId },
    items: asked.items.map(itemOf),
    payments: [{ type: asked.payment, amount: total }]
  })

/** Sends the refund; under the form's key it is sent at most once. */
export const issueRefund = Effect.fnUntraced(function*(visit: MemberVisit, original: Operation, asked: AskedRefund, total: BigDecimal.BigDecimal) {
  const body = refundBody(original, asked, total)
  const decoded = yield* Effect.fromResult(decodeRefundRequest(body, { environment: visit.environment }))
  return yield* refundSale(keyedRequestOf(visit, "POST /v1/refund-workflows", body), decoded)
})
