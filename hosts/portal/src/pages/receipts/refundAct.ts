import { bodyOf, decodeRefundRequest, type Operation, refundSale } from "@overa/domain"
import { refundItemJson } from "@overa/rest-api"
import { type BigDecimal, Effect } from "effect"
import type { MemberVisit } from "../../http/Visit.ts"
import { cashierOf, keyedRequestOf } from "./issueForm.ts"
import type { AskedRefund } from "./refundForm.ts"

const refundBody = (visit: MemberVisit, original: Operation, asked: AskedRefund, total: BigDecimal.BigDecimal): unknown =>
  bodyOf({
    taxpayerId: original.taxpayerId,
    businessPremiseId: original.businessPremiseId,
    clientReference: original.content.clientReference,
    original: { source: "SVC", fiscalDocumentId: original.id },
    cashier: cashierOf(visit),
    buyer: { id: asked.buyerId },
    items: asked.items.map(refundItemJson),
    payments: [{ type: asked.payment, amount: total }]
  })

/** Sends the refund; under the form's key it is sent at most once. */
export const issueRefund = Effect.fnUntraced(function*(visit: MemberVisit, original: Operation, asked: AskedRefund, total: BigDecimal.BigDecimal) {
  const body = refundBody(visit, original, asked, total)
  const decoded = yield* Effect.fromResult(decodeRefundRequest(body, { environment: visit.environment }))
  return yield* refundSale(keyedRequestOf(visit, "POST /v1/refund-workflows", body), decoded)
})
