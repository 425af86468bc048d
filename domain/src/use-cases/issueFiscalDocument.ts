import { Effect, Option, Result } from "effect"
import type { DocumentContent } from "../documents/DocumentContent.ts"
import { composeContent, paidBy } from "../documents/composeContent.ts"
import type { PaymentTypeNotAllowedOnPremise } from "../documents/errors.ts"
import { licensedUseOf } from "../licensing/licenseGate.ts"
import { OperationStore } from "../ports/OperationStore.ts"
import { callerMayReference, type ReferenceRefusal } from "../references/checkReference.ts"
import { proformaReference } from "../references/proformaReference.ts"
import { type DocumentReference, type ReferencedDocument, referencedDocument } from "../references/ReferencedDocument.ts"
import type { ExternalCopy, NormalSale } from "../requests/FiscalDocumentRequest.ts"
import type { CurrentTaxConfigurationUnavailable, TaxLabelNotAllowedOutsideVat, TaxLabelNotCurrent } from "../tax/errors.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import { issueExternalCopy } from "./issueExternalCopy.ts"
import { checkLabelsNow, checkPrerequisites, type DraftFacts, type IssuableKind, type Place, type PlaceRefusal, type Proven } from "./issuing/draftDocument.ts"
import { issueUnderKey, type KeyedRequest } from "./issuing/issueUnderKey.ts"
import { type Kept, plainCommit } from "./issuing/reservation.ts"

const normalSale = { invoiceType: "NORMAL", transactionType: "SALE" } as const

export type SaleRefusal =
  | PlaceRefusal<"SALE", PaymentTypeNotAllowedOnPremise>
  | CurrentTaxConfigurationUnavailable
  | TaxLabelNotCurrent
  | TaxLabelNotAllowedOutsideVat
  | ReferenceRefusal

/** The document that the sale names; read only where the operator lets a sale name its proforma, and it names one of ours. */
const readNamed = Effect.fnUntraced(function*(tenant: Tenant, { reference }: NormalSale, { settings }: Place) {
  if (!settings.proformaReferences || reference?.source !== "SVC") return null
  return Option.match(yield* (yield* OperationStore).get(tenant, reference.fiscalDocumentId), { onNone: () => null, onSome: referencedDocument })
})

const proven = Effect.fnUntraced(function*(tenant: Tenant, sale: NormalSale) {
  const { businessPremiseId, items, payments, taxpayerId } = sale
  const asked = { taxpayerId, businessPremiseId, use: licensedUseOf("NORMAL", "SALE"), paymentMode: paidBy(payments), items }
  const place = yield* checkPrerequisites(tenant, asked)
  const named: Proven<ReferencedDocument | null> = { place, subject: yield* readNamed(tenant, sale, place), ratesAt: "NOW" }
  return named
})

/** A Normal Sale refers to nothing the caller names (Decisions §5, Copies), unless the operator lets it name its proforma. */
const saleReference = (sale: NormalSale, { place, subject }: DraftFacts<ReferencedDocument | null>): Result.Result<DocumentReference | null, ReferenceRefusal> => {
  if (sale.reference === null) return Result.succeed(null)
  return place.settings.proformaReferences
    ? proformaReference(sale, sale.reference, subject)
    : Result.map(callerMayReference(sale), () => null)
}

/** The labels in force now, then the reference. */
const compose = (sale: NormalSale, facts: DraftFacts<ReferencedDocument | null>): Result.Result<DocumentContent, SaleRefusal> => {
  const labels = checkLabelsNow(sale.items, facts)
  if (Result.isFailure(labels)) return Result.fail(labels.failure)
  return Result.map(saleReference(sale, facts), (reference) => composeContent({ ...normalSale, reference }, sale, facts.place))
}

/** A Normal Sale. Source: Spec, fiscal-documents. */
export const normalSaleKind = (tenant: Tenant, sale: NormalSale): IssuableKind<ReferencedDocument | null, Kept, SaleRefusal, OperationStore> => ({
  keyLookup: "BEFORE_WAITING",
  gates: proven(tenant, sale),
  compose: (facts) => compose(sale, facts),
  firstCommit: plainCommit,
  replay: "RETRY"
})

/** Issues a Normal Sale. Fails as `issueUnderKey` does. Source: Spec, fiscal-documents. */
export const issueNormalSale = Effect.fn("issueNormalSale")(function*(request: KeyedRequest, sale: NormalSale) {
  return yield* issueUnderKey(request, normalSaleKind(request.tenant, sale))
})

/** What `POST /v1/fiscal-documents` issues: a Normal Sale, or a copy of another ESIR's document. */
export const issueFiscalDocument = (request: KeyedRequest, decoded: NormalSale | ExternalCopy) =>
  decoded._tag === "NormalSale" ? issueNormalSale(request, decoded) : issueExternalCopy(request, decoded)
