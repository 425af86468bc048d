import { Effect, Result } from "effect"
import { composeContent, paymentModeNotAsked } from "../documents/composeContent.ts"
import type { DocumentContent } from "../documents/DocumentContent.ts"
import { licensedUseOf } from "../licensing/licenseGate.ts"
import type { OperationStore } from "../ports/OperationStore.ts"
import type { ReferenceDocumentTypeNotAllowed } from "../references/errors.ts"
import { externalReference } from "../references/externalReference.ts"
import type { ExternalCopy } from "../requests/FiscalDocumentRequest.ts"
import { checkLabelsExist } from "../tax/checkLabels.ts"
import type { TaxLabelNotCurrent } from "../tax/errors.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import { belgradeTimeOf } from "../time/belgradeTime.ts"
import { type Kept, plainCommit } from "./issuing/reservation.ts"
import { issueUnderKey, type KeyedRequest } from "./issuing/issueUnderKey.ts"
import { type DraftFacts, type IssuableKind, nothing, checkPrerequisites, type PlaceRefusal } from "./issuing/draftDocument.ts"

type ExternalCopyRefusal = TaxLabelNotCurrent | ReferenceDocumentTypeNotAllowed

/** The labels must only have been valid when the copied document was signed; unknown rates do not stop a copy. */
const compose = (copy: ExternalCopy, { place, taxRates }: DraftFacts<null>): Result.Result<DocumentContent, ExternalCopyRefusal> => {
  const labels = taxRates === null ? Result.void : checkLabelsExist(copy.items, taxRates)
  if (Result.isFailure(labels)) return Result.fail(labels.failure)
  const copied = { ...copy.reference, pfrTime: belgradeTimeOf(copy.reference.pfrTime) }
  return Result.map(externalReference(copy, copied), (reference) =>
    composeContent({ invoiceType: "COPY", transactionType: copy.transactionType, reference }, copy, place))
}

/** A copy of a document that another ESIR issued. Source: Spec, fiscal-documents; Decisions §5, Copies. */
export const externalCopyKind = (tenant: Tenant, copy: ExternalCopy): IssuableKind<null, Kept, PlaceRefusal<"COPY"> | ExternalCopyRefusal, OperationStore> => ({
  keyLookup: "BEFORE_WAITING",
  subject: nothing,
  gates: () =>
    checkPrerequisites(tenant, {
      taxpayerId: copy.taxpayerId,
      businessPremiseId: copy.businessPremiseId,
      use: licensedUseOf("COPY", copy.transactionType),
      paymentMode: paymentModeNotAsked,
      items: copy.items
    }),
  ratesAt: () => ({ pfrTime: copy.reference.pfrTime }),
  compose: (facts) => compose(copy, facts),
  firstCommit: plainCommit,
  replay: "RETRY"
})

/** Issues a copy of a document that another ESIR issued. Fails as `issueUnderKey` does. Source: Decisions §5, Copies. */
export const issueExternalCopy = Effect.fn("issueExternalCopy")(function*(request: KeyedRequest, copy: ExternalCopy) {
  return yield* issueUnderKey(request, externalCopyKind(request.tenant, copy))
})
