import { Effect, Option, Result } from "effect"
import { composeContent, paymentModeNotAsked } from "../documents/composeContent.ts"
import { FiscalDocumentNotFound } from "../documents/errors.ts"
import { licensedUseOf } from "../licensing/licenseGate.ts"
import type { Operation } from "../operations/Operation.ts"
import { OperationStore } from "../ports/OperationStore.ts"
import { copiedContent, copyReference, type CopyRefusal } from "../references/checkReference.ts"
import { type DocumentReference, referencedDocument } from "../references/ReferencedDocument.ts"
import type { CopyRequest } from "../requests/CopyRequest.ts"
import type { TaxLabelNotCurrent } from "../tax/errors.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { FiscalDocumentId } from "../tenancy/identifiers.ts"
import { type Kept, plainCommit } from "./issuing/reservation.ts"
import { issueUnderKey, type KeyedRequest } from "./issuing/issueUnderKey.ts"
import { checkLabelsThen, checkPrerequisites, type DraftFacts, type IssuableKind, type PlaceRefusal, type Proven } from "./issuing/draftDocument.ts"

/** A receipt that may be copied, with the reference of its copy. */
interface Source {
  readonly document: Operation
  readonly reference: DocumentReference
}

/** The source, its premise, then that it is copyable and fiscalized. */
const proven = Effect.fnUntraced(function*(tenant: Tenant, fiscalDocumentId: FiscalDocumentId) {
  const document = Option.getOrNull(yield* (yield* OperationStore).get(tenant, fiscalDocumentId))
  if (document === null) return yield* new FiscalDocumentNotFound({ fiscalDocumentId })
  const place = yield* checkPrerequisites(tenant, {
    taxpayerId: document.taxpayerId,
    businessPremiseId: document.businessPremiseId,
    use: licensedUseOf("COPY", document.content.transactionType),
    paymentMode: paymentModeNotAsked,
    items: []
  })
  const reference = yield* Effect.fromResult(copyReference(fiscalDocumentId, referencedDocument(document)))
  const source: Proven<Source> = { place, subject: { document, reference }, ratesAt: reference }
  return source
})

/** The labels at the source's time; unknown rates do not stop a copy. */
const compose = (copy: CopyRequest, { place, subject: { document, reference }, taxRates }: DraftFacts<Source>) => {
  const source = document.content
  return Result.map(checkLabelsThen(source.items, { taxRates }), () => {
    const said = { ...copy, ...copiedContent(source), clientReference: copy.clientReference ?? source.clientReference }
    return composeContent({ invoiceType: "COPY", transactionType: source.transactionType, reference }, said, place)
  })
}

const copyKind = (
  tenant: Tenant,
  sourceId: FiscalDocumentId,
  copy: CopyRequest
): IssuableKind<Source, Kept, PlaceRefusal<"COPY"> | CopyRefusal | TaxLabelNotCurrent, OperationStore> => ({
  keyLookup: "FIRST",
  gates: proven(tenant, sourceId),
  compose: (facts) => compose(copy, facts),
  firstCommit: plainCommit,
  replay: "RETRY"
})

/**
 * Issues a copy of a fiscalized Normal or Advance document. Fails as `issueUnderKey` does. Source: Spec, copies; Decisions §5, Copies.
 */
export const issueCopy = Effect.fn("issueCopy")(function*(request: KeyedRequest, sourceId: FiscalDocumentId, copy: CopyRequest) {
  return yield* issueUnderKey(request, copyKind(request.tenant, sourceId, copy))
})
