import { Effect, Option, Result } from "effect"
import { composeContent, paymentModeNotAsked } from "../documents/composeContent.ts"
import type { DocumentContent } from "../documents/DocumentContent.ts"
import { FiscalDocumentNotFound } from "../documents/errors.ts"
import { licensedUseOf } from "../licensing/licenseGate.ts"
import type { Operation } from "../operations/Operation.ts"
import { OperationStore } from "../ports/OperationStore.ts"
import { copiedContent, copyReference, type CopyRefusal } from "../references/checkReference.ts"
import { referencedDocument } from "../references/ReferencedDocument.ts"
import type { CopyRequest } from "../requests/CopyRequest.ts"
import { checkLabelsExist } from "../tax/checkLabels.ts"
import type { TaxLabelNotCurrent } from "../tax/errors.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { FiscalDocumentId } from "../tenancy/identifiers.ts"
import { type Kept, plainCommit } from "./issuing/reservation.ts"
import { issueUnderKey, type KeyedRequest } from "./issuing/issueUnderKey.ts"
import { type DraftFacts, type IssuableKind, checkPrerequisites, type PlaceRefusal } from "./issuing/draftDocument.ts"

type Source = Option.Option<Operation>

/** Not copyable, not fiscalized, then the labels at the source's time; unknown rates do not stop a copy. */
const compose = (
  sourceId: FiscalDocumentId,
  copy: CopyRequest,
  { place, subject, taxRates }: DraftFacts<Source>
): Result.Result<DocumentContent, CopyRefusal | TaxLabelNotCurrent> => {
  const reference = copyReference(sourceId, Option.getOrNull(Option.map(subject, referencedDocument)))
  if (Result.isFailure(reference)) return Result.fail(reference.failure)
  if (Option.isNone(subject)) return Result.fail(new FiscalDocumentNotFound({ fiscalDocumentId: sourceId }))
  const source = subject.value.content
  const labels = taxRates === null ? Result.void : checkLabelsExist(source.items, taxRates)
  return Result.map(labels, () => {
    const said = { ...copy, ...copiedContent(source), clientReference: copy.clientReference ?? source.clientReference }
    return composeContent({ invoiceType: "COPY", transactionType: source.transactionType, reference: reference.success }, said, place)
  })
}

const copyKind = (
  tenant: Tenant,
  sourceId: FiscalDocumentId,
  copy: CopyRequest
): IssuableKind<Source, Kept, PlaceRefusal<"COPY"> | CopyRefusal | TaxLabelNotCurrent, OperationStore> => ({
  keyLookup: "FIRST",
  subject: OperationStore.use((store) => store.get(tenant, sourceId)),
  gates: (source) =>
    Option.isNone(source)
      ? Effect.fail(new FiscalDocumentNotFound({ fiscalDocumentId: sourceId }))
      : checkPrerequisites(tenant, {
        taxpayerId: source.value.taxpayerId,
        businessPremiseId: source.value.businessPremiseId,
        use: licensedUseOf("COPY", source.value.content.transactionType),
        paymentMode: paymentModeNotAsked,
        items: []
      }),
  ratesAt: (source) => ({ pfrTime: Option.getOrNull(source)?.answer?.pfr.sdcTime ?? "" }),
  compose: (facts) => compose(sourceId, copy, facts),
  firstCommit: plainCommit,
  replay: "RETRY"
})

/**
 * Issues a copy of a fiscalized Normal or Advance document. Fails as `issueUnderKey` does. Source: Spec, copies; Decisions §5, Copies.
 */
export const issueCopy = Effect.fn("issueCopy")(function*(request: KeyedRequest, sourceId: FiscalDocumentId, copy: CopyRequest) {
  return yield* issueUnderKey(request, copyKind(request.tenant, sourceId, copy))
})
