import { Effect } from "effect"
import { previewReceipt } from "../receipt-text/previewReceipt.ts"
import { SellerDetails } from "../ports/TaxAuthority.ts"
import { RequestFaults } from "../requests/Fault.ts"
import { knownRejections } from "../requests/itemsField.ts"
import type { ExternalCopy, NormalSale } from "../requests/FiscalDocumentRequest.ts"
import type { ProformaTrainingRequest } from "../requests/ProformaTrainingRequest.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import { externalCopyKind } from "./issueExternalCopy.ts"
import { normalSaleKind } from "./issueFiscalDocument.ts"
import { proformaTrainingKind } from "./issueProformaTraining.ts"
import { type DocumentDraft, draftWithoutKey } from "./issuing/draftDocument.ts"
import type { KeyedRequest } from "./issuing/issueUnderKey.ts"

/** Steps 5 to 10 of the same kind that the request would be issued as, so there is no second list of checks that could differ. */
const draft = (tenant: Tenant, decoded: NormalSale | ExternalCopy) =>
  decoded._tag === "NormalSale"
    ? draftWithoutKey(tenant, normalSaleKind(tenant, decoded))
    : draftWithoutKey(tenant, externalCopyKind(tenant, decoded))

/** The receipt of a draft as it would be signed; fails with what is known that the V-PFR rejects in it. */
export const previewOf = Effect.fnUntraced(function*(tenant: Tenant, { content, place, taxRates }: Pick<DocumentDraft, "content" | "place" | "taxRates">) {
  const faults = knownRejections(content)
  if (faults.length > 0) return yield* new RequestFaults({ faults })
  const seller = yield* (yield* SellerDetails).ofElement(tenant.organizationId, place.element.id)
  return previewReceipt({ environment: tenant.environment, content, seller, taxRates })
})

/**
 * What `POST /v1/fiscal-documents` would answer to this request now. It fails with the same first refusal, and succeeds exactly where the document
 * would be reserved and nothing is known that the V-PFR rejects in it, with the receipt as it would be signed. Nothing is stored and no document is sent.
 *
 * Source: Decisions §14, Dry run; §2, steps 5 to 10.
 */
export const dryRunFiscalDocument = Effect.fn("dryRunFiscalDocument")(function*(tenant: Tenant, decoded: NormalSale | ExternalCopy) {
  return yield* previewOf(tenant, yield* draft(tenant, decoded))
})

/** The same for a proforma or training document, as `issueProformaTraining` would issue it now. */
export const dryRunProformaTraining = Effect.fn("dryRunProformaTraining")(function*(request: KeyedRequest, document: ProformaTrainingRequest) {
  return yield* previewOf(request.tenant, yield* draftWithoutKey(request.tenant, proformaTrainingKind(request, document)))
})
