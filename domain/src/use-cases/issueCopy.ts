import { DateTime, Effect, Option } from "effect"
import { checkLabelsExist } from "../tax/checkLabels.ts"
import { copiedContent, copyReference } from "../references/copyPolicy.ts"
import { referencedDocument } from "../references/ReferencedDocument.ts"
import type { CopyRequest } from "../requests/CopyRequest.ts"
import { OperationStore } from "../ports/OperationStore.ts"
import type { FiscalDocumentId } from "../tenancy/identifiers.ts"
import { pfrInstant } from "../time/PfrTime.ts"
import { FiscalDocumentNotFound } from "../documents/errors.ts"
import { boundKeyOf, type FiscalRequest } from "./FiscalRequest.ts"
import { taxRatesAt } from "./freshTaxRates.ts"
import type { DocumentDraft } from "./issueDocument.ts"
import { issueUnderKey } from "./issueUnderKey.ts"
import { passGates } from "./passGates.ts"

const draftCopy = Effect.fnUntraced(function*(request: FiscalRequest, sourceId: FiscalDocumentId, copy: CopyRequest) {
  const { tenant } = request
  const store = yield* OperationStore
  const found = yield* store.get(tenant, sourceId)
  if (Option.isNone(found)) return yield* new FiscalDocumentNotFound({ fiscalDocumentId: sourceId })
  const source = found.value
  const { taxpayerId, businessPremiseId } = source
  const place = yield* passGates({ tenant, taxpayerId, businessPremiseId, use: "COPY", payments: null })
  const reference = yield* Effect.fromResult(copyReference(sourceId, referencedDocument(source)))
  const content = copiedContent(source.content)
  const signedAt = Option.getOrElse(pfrInstant(reference.pfrTime), () => DateTime.makeUnsafe(0))
  const group = yield* taxRatesAt(tenant, place.element.id, signedAt)
  if (group !== null) yield* Effect.fromResult(checkLabelsExist(content.items, group))
  const draft: DocumentDraft = {
    taxpayerId,
    businessPremiseId,
    element: place.element,
    content: {
      ...content,
      invoiceType: "COPY",
      transactionType: source.content.transactionType,
      clientReference: copy.clientReference ?? source.content.clientReference,
      cashier: copy.cashier,
      commercialFooter: copy.commercialFooter,
      metadata: copy.metadata,
      reference,
      dateAndTimeOfIssue: null,
      advanceClosing: null,
      esirNumber: place.settings.esirNumber,
      preferredPaperFormat: place.found.preferredPaperFormat,
      brandingId: place.found.brandingId
    },
    taxRates: group,
    workflow: null
  }
  return draft
})

/** Issues a copy of a fiscalized Normal or Advance document. Source: Spec, copies; Decisions §5, Copies. */
export const issueCopy = Effect.fn("issueCopy")(function*(request: FiscalRequest, sourceId: FiscalDocumentId, copy: CopyRequest) {
  return yield* issueUnderKey({
    tenant: request.tenant,
    clientId: request.clientId,
    boundKey: boundKeyOf(request),
    callerGone: request.callerGone,
    draft: () => draftCopy(request, sourceId, copy)
  })
})
