import { DateTime, Effect, Option } from "effect"
import { externalReference } from "../references/externalReference.ts"
import type { ExternalCopy } from "../requests/FiscalDocumentRequest.ts"
import { checkLabelsExist } from "../tax/checkLabels.ts"
import { belgradeTimeOf } from "../time/belgradeTime.ts"
import { pfrInstant } from "../time/PfrTime.ts"
import { boundKeyOf, type FiscalRequest } from "./FiscalRequest.ts"
import { taxRatesAt } from "./freshTaxRates.ts"
import type { DocumentDraft } from "./issueDocument.ts"
import { issueUnderKey } from "./issueUnderKey.ts"
import { passGates } from "./passGates.ts"

const draftExternalCopy = Effect.fnUntraced(function*(request: FiscalRequest, copy: ExternalCopy) {
  const { tenant } = request
  const { taxpayerId, businessPremiseId } = copy
  const { found, element, settings } = yield* passGates({ tenant, taxpayerId, businessPremiseId, use: "COPY", payments: null })
  const instant = Option.getOrElse(pfrInstant(copy.reference.pfrTime), () => DateTime.makeUnsafe(0))
  const group = yield* taxRatesAt(tenant, element.id, instant)
  // The labels need only have been valid when the copied document was signed; rates that are not known do not stop a copy.
  if (group !== null) yield* Effect.fromResult(checkLabelsExist(copy.items, group))
  const reference = yield* Effect.fromResult(
    externalReference(copy, { ...copy.reference, pfrTime: belgradeTimeOf(copy.reference.pfrTime) })
  )
  const draft: DocumentDraft = {
    taxpayerId,
    businessPremiseId,
    element,
    content: {
      invoiceType: "COPY",
      transactionType: copy.transactionType,
      clientReference: copy.clientReference,
      cashier: copy.cashier,
      buyer: copy.buyer,
      items: copy.items,
      payments: copy.payments,
      commercialFooter: copy.commercialFooter,
      metadata: copy.metadata,
      reference,
      dateAndTimeOfIssue: null,
      advanceClosing: null,
      esirNumber: settings.esirNumber,
      preferredPaperFormat: found.preferredPaperFormat,
      brandingId: found.brandingId
    },
    taxRates: group,
    workflow: null
  }
  return draft
})

/** Issues a copy of a document that another ESIR issued. Source: Spec, fiscal-documents; Decisions §5, Copies. */
export const issueExternalCopy = Effect.fn("issueExternalCopy")(function*(request: FiscalRequest, copy: ExternalCopy) {
  return yield* issueUnderKey({
    tenant: request.tenant,
    clientId: request.clientId,
    boundKey: boundKeyOf(request),
    callerGone: request.callerGone,
    draft: () => draftExternalCopy(request, copy)
  })
})
