import { DateTime, Effect, Option } from "effect"
import type { Operation } from "../operations/Operation.ts"
import { OperationStore } from "../ports/OperationStore.ts"
import { checkReference } from "../references/checkReference.ts"
import { referencedDocument } from "../references/ReferencedDocument.ts"
import type { RefundRequest } from "../requests/RefundRequest.ts"
import { checkLabelsExist } from "../tax/checkLabels.ts"
import { pfrInstant } from "../time/PfrTime.ts"
import type { FiscalRequest } from "./FiscalRequest.ts"
import { taxRatesAt } from "./freshTaxRates.ts"
import type { DocumentDraft } from "./issueDocument.ts"
import { passGates } from "./passGates.ts"

/** A refund that may be asked for, with the receipt it gives back. */
export interface RefundDraft extends Omit<DocumentDraft, "workflow"> {
  readonly original: Operation
  readonly workflow: null
}

/**
 * Steps 5 to 10 for a refund, up to what only the receipt's account can decide. Neither licence nor a label withdrawn since nor a
 * missing fresh configuration stops a refund (Decisions §2).
 */
export const draftRefund = Effect.fnUntraced(function*(request: FiscalRequest, refund: RefundRequest) {
  const { tenant } = request
  const { taxpayerId, businessPremiseId } = refund
  const store = yield* OperationStore
  const place = yield* passGates({ tenant, taxpayerId, businessPremiseId, use: "EXEMPT", payments: refund.payments })
  const { fiscalDocumentId } = refund.original
  const original = Option.getOrNull(yield* store.get(tenant, fiscalDocumentId))
  const kind = { invoiceType: "NORMAL", transactionType: "REFUND" } as const
  const reference = yield* Effect.fromResult(
    checkReference(
      { ...kind, taxpayerId, businessPremiseId },
      fiscalDocumentId,
      original === null ? null : referencedDocument(original)
    )
  )
  if (original === null) return yield* Effect.die(new Error("a reference to nothing was accepted"))
  const signedAt = Option.getOrElse(pfrInstant(reference.pfrTime), () => DateTime.makeUnsafe(0))
  const taxRates = yield* taxRatesAt(tenant, place.element.id, signedAt)
  if (taxRates !== null) yield* Effect.fromResult(checkLabelsExist(original.content.items, taxRates))
  const draft: RefundDraft = {
    original,
    taxpayerId,
    businessPremiseId,
    element: place.element,
    content: {
      ...kind,
      clientReference: refund.clientReference,
      cashier: refund.cashier,
      buyer: refund.buyer,
      items: refund.items,
      payments: refund.payments,
      commercialFooter: refund.commercialFooter,
      metadata: refund.metadata,
      reference,
      dateAndTimeOfIssue: null,
      advanceClosing: null,
      esirNumber: place.settings.esirNumber,
      preferredPaperFormat: place.found.preferredPaperFormat,
      brandingId: place.found.brandingId
    },
    taxRates,
    workflow: null
  }
  return draft
})
