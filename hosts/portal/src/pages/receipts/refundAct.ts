import { decodeRefundRequest, type Operation, readBodyTree, refundSale } from "@overa/domain"
import { jsonNumber, refundItemJson } from "@overa/rest-api"
import { type BigDecimal, Effect } from "effect"
import type { MemberVisit } from "../../http/Visit.ts"
import { cashierOf, fiscalRequestOf } from "./issueForm.ts"
import type { AskedRefund } from "./refundForm.ts"

const bodyOf = (visit: MemberVisit, original: Operation, asked: AskedRefund, total: BigDecimal.BigDecimal): string =>
  JSON.stringify({
    taxpayerId: original.taxpayerId,
    businessPremiseId: original.businessPremiseId,
    clientReference: original.content.clientReference,
    original: { source: "SVC", fiscalDocumentId: original.id },
    cashier: cashierOf(visit),
    buyer: { id: asked.buyerId },
    items: asked.items.map(refundItemJson),
    payments: [{ type: asked.payment, amount: jsonNumber(total) }]
  })

/** Sends the refund; under the form's key it is sent at most once. */
export const issueRefund = Effect.fnUntraced(function*(visit: MemberVisit, original: Operation, asked: AskedRefund, total: BigDecimal.BigDecimal) {
  const text = bodyOf(visit, original, asked, total)
  const tree = yield* Effect.fromResult(readBodyTree(text))
  const decoded = yield* Effect.fromResult(decodeRefundRequest(tree, { environment: visit.environment }))
  return yield* refundSale(fiscalRequestOf(visit, "POST /v1/refund-workflows", text, tree), decoded)
})
