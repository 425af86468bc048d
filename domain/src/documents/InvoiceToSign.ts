import type { SecurityElementId } from "../tenancy/identifiers.ts"
import type { Tenant } from "../tenancy/Caller.ts"
import type { TaxRateGroup } from "../tax/TaxRateGroup.ts"
import type { DocumentContent } from "./DocumentContent.ts"

/** The security element that signs a document. */
export interface Signer {
  readonly tenant: Tenant
  readonly elementId: SecurityElementId
  /** The element's JID: `requestedBy` of the answer. */
  readonly jid: string
}

/** What is signed. */
export interface DocumentToSign {
  readonly content: DocumentContent
  /** The rates with which the service recomputes the tax and compares the answer; null when they are not known. */
  readonly taxRates: TaxRateGroup | null
}

/** What must be known to sign a document and to recognize the answer as its own. */
export interface InvoiceToSign extends Signer, DocumentToSign {}
