import { Effect } from "effect"
import type { DocumentContent } from "../documents/DocumentContent.ts"
import { callerMayReference } from "../references/checkReference.ts"
import type { NormalSale } from "../requests/FiscalDocumentRequest.ts"
import { checkLabels } from "../tax/checkLabels.ts"
import { boundKeyOf, type FiscalRequest } from "./FiscalRequest.ts"
import { freshTaxRates } from "./freshTaxRates.ts"
import type { DocumentDraft, KeyKnown } from "./issueDocument.ts"
import { issueUnderKey } from "./issueUnderKey.ts"
import { passGates } from "./passGates.ts"

/** What a sale says, captured with what the place adds to the paper. */
const contentOf = (
  sale: NormalSale,
  place: { readonly preferredPaperFormat: DocumentContent["preferredPaperFormat"]; readonly brandingId: string | null },
  esirNumber: string
): DocumentContent => ({
  invoiceType: "NORMAL",
  transactionType: "SALE",
  clientReference: sale.clientReference,
  cashier: sale.cashier,
  buyer: sale.buyer,
  items: sale.items,
  payments: sale.payments,
  commercialFooter: sale.commercialFooter,
  metadata: sale.metadata,
  reference: null,
  dateAndTimeOfIssue: null,
  advanceClosing: null,
  esirNumber,
  preferredPaperFormat: place.preferredPaperFormat,
  brandingId: place.brandingId
})

const draftSale = Effect.fnUntraced(function*(
  request: FiscalRequest,
  sale: NormalSale,
  beforeWaiting: Effect.Effect<void, KeyKnown>
) {
  const { tenant } = request
  const { taxpayerId, businessPremiseId } = sale
  const { found, element, settings } = yield* passGates({
    tenant,
    taxpayerId,
    businessPremiseId,
    use: "SALE",
    payments: sale.payments
  })
  const group = yield* freshTaxRates(tenant, element.id, beforeWaiting)
  yield* Effect.fromResult(
    checkLabels(sale.items, { group, vatStatus: found.taxpayer.vatStatus, vatCategories: settings.vatCategories })
  )
  // A Normal Sale refers to nothing the caller names (Decisions §5, Copies).
  if (sale.reference !== null) yield* Effect.fromResult(callerMayReference(sale))
  const draft: DocumentDraft = {
    taxpayerId,
    businessPremiseId,
    element,
    content: contentOf(sale, found, settings.esirNumber),
    taxRates: group,
    workflow: null
  }
  return draft
})

/**
 * Issues a Normal Sale: two durable commits around one submission, never sent twice (Decisions §4). Answers the operation as it
 * stands; only FISCALIZED is a receipt.
 *
 * Fails with the first refusal in the order of checks, with `StoreUnavailable` when nothing could be reserved, and with the
 * idempotency conflicts. Source: Spec, fiscal-documents.
 */
export const issueNormalSale = Effect.fn("issueNormalSale")(function*(request: FiscalRequest, sale: NormalSale) {
  return yield* issueUnderKey({
    tenant: request.tenant,
    clientId: request.clientId,
    boundKey: boundKeyOf(request),
    callerGone: request.callerGone,
    draft: (beforeWaiting) => draftSale(request, sale, beforeWaiting)
  })
})
