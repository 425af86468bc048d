import { Effect, Option } from "effect"
import { FiscalDocumentNotFound } from "../documents/errors.ts"
import { OperationStore } from "../ports/OperationStore.ts"
import { RefundStore } from "../ports/WorkflowStores.ts"
import { RefundWorkflowNotFound } from "../refunds/errors.ts"
import { refundable } from "../refunds/refundable.ts"
import { openLedger } from "../refunds/RefundLedger.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { FiscalDocumentId, WorkflowId } from "../tenancy/identifiers.ts"

/** The workflow as stored; its status follows from its documents. */
export const readRefund = Effect.fn("readRefund")(function*(tenant: Tenant, id: WorkflowId) {
  const refunds = yield* RefundStore
  const found = yield* refunds.get(tenant, id)
  return Option.isSome(found) ? found.value : yield* new RefundWorkflowNotFound({ workflowId: id })
})

/**
 * What of a receipt can still be given back, by line, and which refunds hold the rest. A document that no refund accepts has nothing refundable, and
 * its lines say so. Source: Decisions §5, Refund workflow; §10.
 */
export const readRefundable = Effect.fn("readRefundable")(function*(tenant: Tenant, id: FiscalDocumentId) {
  const store = yield* OperationStore
  const refunds = yield* RefundStore
  const found = yield* store.get(tenant, id)
  if (Option.isNone(found)) return yield* new FiscalDocumentNotFound({ fiscalDocumentId: id })
  const { content, status } = found.value
  const isRefundable = status === "FISCALIZED" && content.invoiceType === "NORMAL" && content.transactionType === "SALE"
  if (!isRefundable) return refundable(id, [], openLedger([]))
  return refundable(id, content.items, yield* refunds.ledger(found.value))
})
