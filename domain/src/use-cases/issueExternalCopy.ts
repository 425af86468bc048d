import { DateTime, Effect, Result } from "effect"
import { composeContent, paymentModeNotAsked } from "../documents/composeContent.ts"
import type { DocumentContent } from "../documents/DocumentContent.ts"
import { noFilter } from "../journal/JournalFilter.ts"
import { licensedUseOf } from "../licensing/licenseGate.ts"
import { JournalStore } from "../ports/JournalStore.ts"
import type { OperationStore } from "../ports/OperationStore.ts"
import type { ReferenceDocumentTypeNotAllowed } from "../references/errors.ts"
import { externalReference, externalReferenceFaults, type ExternalKnowledge } from "../references/externalReference.ts"
import { RequestFaults } from "../requests/Fault.ts"
import type { ExternalCopy } from "../requests/FiscalDocumentRequest.ts"
import type { TaxLabelNotCurrent } from "../tax/errors.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import { belgradeTimeOf } from "../time/belgradeTime.ts"
import { type Kept, plainCommit } from "./issuing/reservation.ts"
import { issueUnderKey, type KeyedRequest } from "./issuing/issueUnderKey.ts"
import { checkLabelsThen, checkPrerequisites, type DraftFacts, type IssuableKind, type PlaceRefusal, type Proven } from "./issuing/draftDocument.ts"

type ExternalCopyRefusal = TaxLabelNotCurrent | ReferenceDocumentTypeNotAllowed | RequestFaults

/** What the service itself knows of the document that the caller describes. */
const knowledgeOf = Effect.fnUntraced(function*(tenant: Tenant, { reference: { pfrNumber } }: ExternalCopy) {
  const journal = yield* JournalStore
  const [ownId = null] = yield* journal.select(tenant, { ...noFilter, pfrNumber }, 1)
  return { ownId, now: yield* DateTime.now } satisfies ExternalKnowledge
})

const proven = Effect.fnUntraced(function*(tenant: Tenant, copy: ExternalCopy) {
  const { businessPremiseId, items, reference, taxpayerId, transactionType } = copy
  const asked = { taxpayerId, businessPremiseId, use: licensedUseOf("COPY", transactionType), paymentMode: paymentModeNotAsked, items }
  const place = yield* checkPrerequisites(tenant, asked)
  const copied: Proven<ExternalKnowledge> = { place, subject: yield* knowledgeOf(tenant, copy), ratesAt: reference }
  return copied
})

/** The labels must only have been valid when the copied document was signed; unknown rates do not stop a copy. */
const compose = (copy: ExternalCopy, { place, subject, taxRates }: DraftFacts<ExternalKnowledge>): Result.Result<DocumentContent, ExternalCopyRefusal> => {
  const labels = checkLabelsThen(copy.items, { taxRates }, "REQUEST")
  if (Result.isFailure(labels)) return Result.fail(labels.failure)
  const faults = externalReferenceFaults(copy.reference, subject)
  if (faults.length > 0) return Result.fail(new RequestFaults({ faults }))
  const copied = { ...copy.reference, pfrTime: belgradeTimeOf(copy.reference.pfrTime) }
  return Result.map(externalReference(copy, copied), (reference) =>
    composeContent({ invoiceType: "COPY", transactionType: copy.transactionType, reference }, copy, place))
}

/** A copy of a document that another ESIR issued. Source: Spec, fiscal-documents; Decisions §5, Copies. */
export const externalCopyKind = (tenant: Tenant, copy: ExternalCopy): IssuableKind<ExternalKnowledge, Kept, PlaceRefusal<"COPY"> | ExternalCopyRefusal, OperationStore | JournalStore> => ({
  keyLookup: "BEFORE_WAITING",
  gates: proven(tenant, copy),
  compose: (facts) => compose(copy, facts),
  firstCommit: plainCommit,
  replay: "RETRY"
})

/** Issues a copy of a document that another ESIR issued. Fails as `issueUnderKey` does. Source: Decisions §5, Copies. */
export const issueExternalCopy = Effect.fn("issueExternalCopy")(function*(request: KeyedRequest, copy: ExternalCopy) {
  return yield* issueUnderKey(request, externalCopyKind(request.tenant, copy))
})
