import type { Sentence } from "./readSentences.ts"

/** What proves a sentence. */
export type Proof =
  /** The program itself holds it against the running service; the name of the check. */
  | { readonly run: CheckName }
  /** Rules of the rule book, and test files that drive the service or the stores. */
  | { readonly by: ReadonlyArray<string> }
  /** No call can show it: what it is instead. */
  | { readonly reason: string }

export type CheckName =
  | "documentField" | "pfrField" | "refundField" | "productFields" | "premiseFields" | "ratesFields" | "runtimeFields" | "representationUrls"
  | "requestField" | "paymentTypes" | "buyerPrefix" | "documentType" | "code" | "scopedOperation" | "catalogueOperation" | "representations"
  | "tokenAnswer" | "scopes" | "version" | "prefixV1" | "keyRequired" | "unauthenticated" | "problem" | "keyConflict"

const http = "contract-tests/src/http"
const [sales, refunds, advances, access, tokens, tenancy, setup, journal, catalogue, keys] =
  ["sales", "refunds", "advances", "access", "tokens", "tenancy", "setup", "journal", "catalogue", "keys"].map((name) => `${http}/${name}.contract.ts`) as
    [string, string, string, string, string, string, string, string, string, string]
const [proforma, representations, turnover] = [`${http}/proformaTraining.contract.ts`, `${http}/representations.contract.ts`, `${http}/turnover.contract.ts`] as const
const deliveries = "contract-tests/test/http.deliveries.test.ts"
const unknown = "contract-tests/test/unknownOutcomes.test.ts"
const refusals = "contract-tests/test/http.refusals.test.ts"
const workflows = "contract-tests/test/http.workflows.memory.test.ts"
const register = "adapters/company-register/test/NbsCompanyRegister.test.ts"

const callerRules = "contract-tests/test/callerRules.test.ts"
const reader = "contract-tests/proof/whole/contractReader.test.ts"

const by = (...proofs: ReadonlyArray<string>): Proof => ({ by: proofs })
const run = (check: CheckName): Proof => ({ run: check })
const reason = (text: string): Proof => ({ reason: text })
const purpose = reason("what the service is for")
const ofCallers = reason("an advice to callers; what the service does about it is proven at its own sentences")
/** What a caller does is shown by our client and by the layers for PHP and Python. */
const ofClients: Proof = by("contract-tests/test/http.client.test.ts", "contract-tests/proof/programs/thinClients.test.ts")
const heading = reason("says where something stands, or that the contract does not show it")

/** A place (an anchor) and, where only one of its sentences is meant, the beginning of that sentence. The first that fits holds. */
const table: ReadonlyArray<readonly [place: string, beginning: string | null, proof: Proof]> = [
  ["page", "The contract in machine-readable form", by("contract-tests/test/http.server.test.ts")],
  ["page", "Names of fields", by(reader)],
  ["page", null, heading],
  ["introduction-1", "Sales in person", by(refusals)],
  ["introduction-1", null, purpose],
  ["introduction-2", null, by(sales, representations)],
  ["introduction-3", null, by("REFERENCE-1", "DOCUMENT-13")],
  ["introduction-4", null, by("DOCUMENT-2", "DOCUMENT-4", "contract-tests/proof/crash/crash.test.ts")],
  ["introduction-5", null, by(journal, turnover)],
  ["introduction-6", null, by(deliveries)],
  ["introduction-7", null, by("DOCUMENT-1", sales)],
  ["introduction-8", null, by(tenancy)],
  ["introduction-9", null, by("contract-tests/test/portal.access.test.ts")],
  ["pfrrejection", null, by("DOCUMENT-9", journal)],
  ["fiscaldocument", "Every fiscal operation", by(sales, refunds, advances, proforma)],
  ["fiscaldocument", null, run("documentField")],
  ["pfrresult", "The three counter", by("contract-tests/test/vpfr.test.ts")],
  ["pfrresult", null, run("pfrField")],
  ["receiptrepresentations", null, run("representationUrls")],
  ["buyerdetails", null, by("BUYER-2", "BUYER-4", register, "contract-tests/test/companyRegister.test.ts")],
  ["payment-types", "**Payment types**", run("paymentTypes")],
  ["payment-types", "Their official names", by("contract-tests/test/vpfr.test.ts")],
  ["payment-types", null, by("COPY-3", "BUYER-3", refunds)],
  ["request-building-blocks", "ReferenceTarget", by("SALE-8", "REFERENCE-3", refunds)],
  ["request-building-blocks", null, run("requestField")],
  ["businesspremise", null, run("premiseFields")],
  ["taxrateconfiguration", "source string", run("ratesFields")],
  ["taxrateconfiguration", null, by("LABEL-1", setup)],
  ["runtime", null, run("runtimeFields")],
  ["refundworkflow", null, run("refundField")],
  ["product", "Product:", run("productFields")],
  ["product", null, by(catalogue)],
  ["error-bodies", "RFC 9457", run("problem")],
  ["error-bodies", "`{code, operationId}`", run("keyConflict")],
  ["not-shown", null, heading],
  ["error-bodies", null, by(refusals, sales)],
  ["document-statuses", null, by("DOCUMENT-1", "DOCUMENT-2", "DOCUMENT-3", "DOCUMENT-7", "DOCUMENT-8", "DOCUMENT-9")],
  ["document-transitions", null, by("DOCUMENT-1", "DOCUMENT-4", "DOCUMENT-5", sales, unknown)],
  ["refund-workflow-statuses-and-transitions", "A cash refund", by("REFUND-WORKFLOW-5", refunds)],
  ["refund-workflow-statuses-and-transitions", null, heading],
  ["refund-workflow-statuses", null, by("REFUND-WORKFLOW-1", "REFUND-WORKFLOW-3", "REFUND-WORKFLOW-4", "contract-tests/test/http.refunds.memory.test.ts")],
  ["endpoints", "JSON bodies", by(`${http}/transport.contract.ts`)],
  ["endpoints", "Every call", run("unauthenticated")],
  ["endpoints", "A missing", run("unauthenticated")],
  ["transactionoccurredat", null, by("SALE-9", "WORKFLOW-BODY-6")],
  ["fiscal-documents-rule-1", null, by("SALE-1", "MONEY-2")],
  ["fiscal-documents-rule-2", null, by("TAX-1", "TAX-2")],
  ["fiscal-documents-rule-3", null, by("LABEL-1", sales)],
  ["fiscal-documents-rule-4", null, by("NAME-1")],
  ["fiscal-documents-rule-5", null, by("SALE-5", "COPY-2", "WORKFLOW-BODY-4")],
  ["fiscal-documents-rule-6", null, by("PAYMENT-1", refusals)],
  ["fiscal-documents-rule-7", null, by("SALE-2", "SALE-3", "NAME-2")],
  ["fiscal-documents-responses", null, by(sales, keys, refusals)],
  ["fiscal-documents", "Issues a Normal Sale", by(sales)],
  ["fiscal-documents", "Scope fiscal:write", run("scopedOperation")],
  ["fiscal-documents", "Only invoiceType", run("documentType")],
  ["fiscal-documents", "Rules:", heading],
  ["fiscal-documents", "After a 503", by("DOCUMENT-4", "DOCUMENT-8", sales)],
  ["fiscal-documents", "After one", by("DOCUMENT-4", unknown)],
  ["fiscal-documents", "How a COPY", by("SALE-8", sales)],
  ["fiscal-documents", null, run("requestField")],
  ["get-v1-fiscal-documents-fiscaldocumentid", "Scope", run("scopedOperation")],
  ["get-v1-fiscal-documents-fiscaldocumentid", null, by(sales, tenancy)],
  ["representations", "Scope", run("scopedOperation")],
  ["representations", "One of", run("representations")],
  ["representations", null, by(representations, refunds)],
  ["get-v1-runtime", null, run("scopedOperation")],
  ["get-v1-taxpayers", "Scope", run("scopedOperation")],
  ["get-v1-taxpayers", null, by(setup)],
  ["get-v1-taxpayers-taxpayerid-business-premises", "Scope", run("scopedOperation")],
  ["get-v1-taxpayers-taxpayerid-business-premises", null, by(setup, tenancy)],
  ["get-v1-tax-rates", "Scope", run("scopedOperation")],
  ["get-v1-tax-rates", null, by(setup)],
  ["refunds-rule-1", null, by("REFERENCE-3", "WORKFLOW-BODY-5")],
  ["refunds-rule-2", null, by("REFUND-2", "REFUND-3", "REFUND-4", "LEDGER-1")],
  ["refunds-rule-3", null, by("WORKFLOW-BODY-3")],
  ["refunds-rule-4", null, by("REFUND-7", "COPY-3", "REFUND-WORKFLOW-5", refunds)],
  ["refunds-rule-5", null, by("LICENSE-2")],
  ["refunds-rule-6", null, by("REFERENCE-1", "REFERENCE-3", refunds)],
  ["related", null, by(advances, proforma, refunds)],
  ["refunds", "Scope", run("scopedOperation")],
  ["refunds", "Rules:", heading],
  ["refunds", null, by(refunds, "WORKFLOW-BODY-5", "contract-tests/test/requestShapes.test.ts")],
  ["catalogue-operations", "They need no", by(catalogue)],
  ["catalogue-operations", "The contract lists", heading],
  ["catalogue-operations", null, run("catalogueOperation")],
  ["buyer-identification", "`buyer.id` is", by("BUYER-1")],
  ["buyer-identification", "For domestic", by("BUYER-2", register)],
  ["buyer-identification", "`buyer.optionalField`", by("BUYER-3")],
  ["buyer-identification", null, run("buyerPrefix")],
  ["reference-matrix", null, by("REFERENCE-1", "REFERENCE-2")],
  ["document-types", "A document of another", by("REFERENCE-4", "SALE-8")],
  ["document-types", "A copy of a copy", by("COPY-1", workflows)],
  ["document-types", "NORMAL", run("documentType")],
  ["document-types", "COPY", run("documentType")],
  ["document-types", "ADVANCE", run("documentType")],
  ["document-types", "PROFORMA", run("documentType")],
  ["document-types", "TRAINING", run("documentType")],
  ["document-types", null, by("REFERENCE-1", "ADVANCE-2", "PROFORMA-5", advances, proforma)],
  ["post-v1-fiscal-documents-id-copies", null, run("catalogueOperation")],
  ["post-v1-advance-cases", null, by(advances, "ADVANCE-CASE-4", "ADVANCE-3", "ADVANCE-4")],
  ["get-v1-advance-cases-id", null, run("catalogueOperation")],
  ["post-v1-proforma-training-workflows", null, run("catalogueOperation")],
  ["post-v1-receipt-deliveries", null, by(deliveries, "DELIVERY-1", "DELIVERY-2")],
  ["get-v1-operations-id", null, run("catalogueOperation")],
  ["get-v1-security-elements", null, run("catalogueOperation")],
  ["operations-known-by-name-only", "GET /v1/license", run("catalogueOperation")],
  ["operations-known-by-name-only", "journal search", by(journal, "JOURNAL-1", "JOURNAL-4", "JOURNAL-6")],
  ["operations-known-by-name-only", "POST /v1/taxpayers", by(setup, refusals)],
  ["operations-known-by-name-only", null, heading],
  ["authentication-1", null, by(tokens)],
  ["authentication-2", "The answer has", run("tokenAnswer")],
  ["authentication-2", null, by(tokens)],
  ["authentication-3", null, by(access, tenancy)],
  ["authentication-4", null, by(access, tokens)],
  ["authentication-5", null, by("CREDENTIAL-1", "contract-tests/test/admin.test.ts", tokens)],
  ["authentication-6", null, run("scopes")],
  ["authentication-7", null, by("PREMISE-2", "IDEMPOTENCY-2", "LICENSE-1", tenancy, keys)],
  ["authentication-8", "Production includes", by("BILLING-1", setup)],
  ["authentication-8", null, by("LICENSE-1", "LICENSE-2", "LICENSE-3", setup)],
  ["authentication-9", null, by("contract-tests/test/admin.elements.test.ts", "hosts/portal/test/goingLive.test.ts")],
  ["events", "None:", reason("the contract shows none; `GET /v1/events` is an extension (docs/adr/0176)")],
  ["events", null, by(unknown)],
  ["client-handling-rule-1", null, by(sales)],
  ["client-handling-rule-2", null, ofClients],
  ["client-handling-rule-3", null, ofClients],
  ["client-handling-rule-7", null, ofClients],
  ["client-handling-rule-4", "422", by(callerRules)],
  ["client-handling-rule-5", null, by(callerRules)],
  ["client-handling-rule-6", null, by(callerRules)],
  ["client-handling-rule-8", null, by(callerRules)],
  ["client-handling-rule-9", null, by(callerRules)],
  ["client-handling-rules", null, ofCallers],
  ["catalogue-of-codes", "Retry:", heading],
  ["catalogue-of-codes", "Besides:", by(catalogue, "SALE-2", "SALE-5")],
  ["catalogue-of-codes", null, run("code")],
  ["errors", null, by(refusals, "DOCUMENT-2")],
  ["v-pfr-rejection-codes", "In `pfrRejection", by("DOCUMENT-9")],
  ["v-pfr-rejection-codes", null, by("hosts/vpfr-simulator/test/validation.test.ts")],
  ["page-size", null, by("JOURNAL-5", catalogue)],
  ["pagination", null, by("JOURNAL-4", catalogue)],
  ["time-filters", null, by("JOURNAL-1")],
  ["limits", "Rate limits", heading],
  ["limits", "Access token", by(tokens)],
  ["limits", "Idempotency-Key is needed", run("keyRequired")],
  ["limits", "Idempotency-Key", by("BODY-9", "IDEMPOTENCY-1", "IDEMPOTENCY-2")],
  ["limits", "Amounts", by("MONEY-5", "BODY-6")],
  ["limits", "Quantity", by("MONEY-5", "BODY-6")],
  ["limits", "Item name", by("BODY-4")],
  ["limits", "Unit of measure", by("BODY-4")],
  ["limits", "GTIN", by("SALE-10", "CATALOGUE-8")],
  ["limits", "commercialFooter", by("BODY-4")],
  ["limits", "Items and payments", by("BODY-5")],
  ["limits", "Product", by("CATALOGUE-8")],
  ["limits", "Catalogue import", by("CATALOGUE-4", "CATALOGUE-5")],
  ["limits", "Journal export", by("JOURNAL-6")],
  ["limits", "Included volume", by(setup)],
  ["time-rules", null, by("BODY-8", "SALE-9", "WORKFLOW-BODY-6", "TIME-5")],
  ["versioning-1", null, run("version")],
  ["versioning-2", null, run("prefixV1")],
  ["versioning", null, heading]
]

/** What proves a sentence; null where nothing is said of it. */
export const proofOf = (sentence: Sentence): Proof | null => {
  const found = table.find(([place, beginning]) =>
    (sentence.places.includes(place) || (place === "page" && sentence.places.length === 0)) && (beginning === null || sentence.text.startsWith(beginning)))
  return found?.[2] ?? null
}

/** Every file and rule that is named as a proof. */
export const namedProofs: ReadonlyArray<string> = [...new Set(table.flatMap(([, , proof]) => "by" in proof ? proof.by : []))]
