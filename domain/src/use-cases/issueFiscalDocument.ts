import { Effect, Result } from "effect"
import type { DocumentContent } from "../documents/DocumentContent.ts"
import { composeContent, paidBy } from "../documents/composeContent.ts"
import type { PaymentTypeNotAllowedOnPremise } from "../documents/errors.ts"
import { licensedUseOf } from "../licensing/licenseGate.ts"
import type { OperationStore } from "../ports/OperationStore.ts"
import { callerMayReference } from "../references/checkReference.ts"
import type { ReferenceDocumentTypeNotAllowed } from "../references/errors.ts"
import type { ExternalCopy, NormalSale } from "../requests/FiscalDocumentRequest.ts"
import type { CurrentTaxConfigurationUnavailable, TaxLabelNotAllowedOutsideVat, TaxLabelNotCurrent } from "../tax/errors.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import { issueExternalCopy } from "./issueExternalCopy.ts"
import { atPlace, checkLabelsNow, checkPrerequisites, type DraftFacts, type IssuableKind, type PlaceRefusal } from "./issuing/draftDocument.ts"
import { issueUnderKey, type KeyedRequest } from "./issuing/issueUnderKey.ts"
import { type Kept, plainCommit } from "./issuing/reservation.ts"

const normalSale = { invoiceType: "NORMAL", transactionType: "SALE" } as const

export type SaleRefusal =
  | PlaceRefusal<"SALE", PaymentTypeNotAllowedOnPremise>
  | CurrentTaxConfigurationUnavailable
  | TaxLabelNotCurrent
  | TaxLabelNotAllowedOutsideVat
  | ReferenceDocumentTypeNotAllowed

/** The labels in force now, then the rule that a Normal Sale refers to nothing the caller names (Decisions §5, Copies). */
const compose = (sale: NormalSale, { place, taxRates }: DraftFacts<null>): Result.Result<DocumentContent, SaleRefusal> => {
  const labels = checkLabelsNow(sale.items, { place, taxRates })
  if (Result.isFailure(labels)) return Result.fail(labels.failure)
  const reference = sale.reference === null ? Result.void : callerMayReference(sale)
  return Result.map(reference, () => composeContent(normalSale, sale, place))
}

/** A Normal Sale. Source: Spec, fiscal-documents. */
export const normalSaleKind = (tenant: Tenant, sale: NormalSale): IssuableKind<null, Kept, SaleRefusal, OperationStore> => ({
  keyLookup: "BEFORE_WAITING",
  gates: Effect.map(
    checkPrerequisites(tenant, {
      taxpayerId: sale.taxpayerId,
      businessPremiseId: sale.businessPremiseId,
      use: licensedUseOf("NORMAL", "SALE"),
      paymentMode: paidBy(sale.payments),
      items: sale.items
    }),
    (place) => atPlace(place)
  ),
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
