import { Effect } from "effect"
import { RefundStore } from "../ports/WorkflowStores.ts"
import type { RefundRequest } from "../requests/RefundRequest.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import { previewOf } from "./dryRunFiscalDocument.ts"
import { draftWithoutKey } from "./issuing/draftDocument.ts"
import { judge, refundKind } from "./refundSale.ts"

/**
 * The receipt of a refund as `refundSale` would have it signed now, by the same checks and the ledger as it is; fails with the same first refusal. Nothing
 * is held, nothing is stored, nothing is sent.
 */
export const dryRunRefund = Effect.fn("dryRunRefund")(function*(tenant: Tenant, refund: RefundRequest) {
  const { content, place, subject: { document }, taxRates } = yield* draftWithoutKey(tenant, refundKind({ tenant }, refund))
  const { items } = yield* Effect.fromResult(judge(document, refund, yield* (yield* RefundStore).ledger(document)))
  return yield* previewOf(tenant, { content: { ...content, items }, place, taxRates })
})
