import { Effect } from "effect"
import { previewReceipt } from "../receipt-text/previewReceipt.ts"
import { SellerDetails } from "../ports/TaxAuthority.ts"
import { RequestFaults } from "../requests/Fault.ts"
import { knownRejections } from "../requests/itemsField.ts"
import type { ExternalCopy, NormalSale } from "../requests/FiscalDocumentRequest.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import { externalCopyKind } from "./issueExternalCopy.ts"
import { normalSaleKind } from "./issueFiscalDocument.ts"
import { draftWithoutKey } from "./issuing/draftDocument.ts"

/** Steps 5 to 10 of the same kind that the request would be issued as, so there is no second list of checks that could differ. */
const draft = (tenant: Tenant, decoded: NormalSale | ExternalCopy) =>
  decoded._tag === "NormalSale"
    ? draftWithoutKey(tenant, normalSaleKind(tenant, decoded))
    : draftWithoutKey(tenant, externalCopyKind(tenant, decoded))

/**
 * What `POST /v1/fiscal-documents` would answer to this request now. It fails with the same first refusal, and succeeds exactly where the document
 * would be reserved and nothing is known that the V-PFR rejects in it, with the receipt as it would be signed. Nothing is stored and no document is sent.
 *
 * Source: Decisions §14, Dry run; §2, steps 5 to 10.
 */
export const dryRunFiscalDocument = Effect.fn("dryRunFiscalDocument")(function*(tenant: Tenant, decoded: NormalSale | ExternalCopy) {
  const { content, place, taxRates } = yield* draft(tenant, decoded)
  const faults = knownRejections(content)
  if (faults.length > 0) return yield* new RequestFaults({ faults })
  const sellers = yield* SellerDetails
  const seller = yield* sellers.ofElement(tenant.organizationId, place.element.id)
  return previewReceipt({ environment: tenant.environment, content, seller, taxRates })
})
