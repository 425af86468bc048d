/** One numbered rule, transition, limit or matrix row of the interface specification, and what proves it. */
export interface SpecificationRow {
  /** Its place, e.g. `Refunds rule 4`. */
  readonly row: string
  /** Its subject, in our words. */
  readonly about: string
  /** Ids of rules, and paths of contract tests. */
  readonly provenBy: ReadonlyArray<string>
  /** Why nothing proves it yet, or which part is still missing. */
}

const http = "contract-tests/src/http"
const sales = `${http}/sales.contract.ts`
const refunds = `${http}/refunds.contract.ts`
const tokens = `${http}/tokens.contract.ts`
const access = `${http}/access.contract.ts`
const setup = `${http}/setup.contract.ts`
const operationStore = "contract-tests/src/ports/OperationStore.contract.ts"
const journal = `${http}/journal.contract.ts`

const row = (name: string, about: string, ...provenBy: ReadonlyArray<string>): SpecificationRow => ({ row: name, about, provenBy })

const saleRules = [
  row("Fiscal documents rule 1", "payments sum to the total", "SALE-1", "MONEY-2"),
  row("Fiscal documents rule 2", "tax is computed from labels and signed by the V-PFR", "TAX-1", "TAX-2"),
  row("Fiscal documents rule 3", "labels of the fresh configuration only", "LABEL-1", sales),
  row("Fiscal documents rule 4", "the signed name is name/unit", "NAME-1"),
  row("Fiscal documents rule 5", "the buyer's optional field on a Normal Sale only", "SALE-5", "COPY-2", "WORKFLOW-BODY-4"),
  row("Fiscal documents rule 6", "payment types of a restricted premise", "PAYMENT-1"),
  row("Fiscal documents rule 7", "advance item literals", "SALE-2", "SALE-3", "NAME-2")
]

const refundRules = [
  row("Refunds rule 1", "the original: a fiscalized Normal Sale of the service, same taxpayer and premise", "REFERENCE-3", "WORKFLOW-BODY-5"),
  row("Refunds rule 2", "items match their line; all refunds of a line stay within it", "REFUND-2", "REFUND-3", "REFUND-4", "LEDGER-1"),
  row("Refunds rule 3", "the buyer is identified", "WORKFLOW-BODY-3"),
  row("Refunds rule 4", "payments sum to the items; cash needs a signed copy under the key :copy", "REFUND-7", "COPY-3", "REFUND-WORKFLOW-5", refunds),
  row("Refunds rule 5", "never stopped by licensing", "LICENSE-2"),
  row("Refunds rule 6", "the reference points to the original", "REFERENCE-1", "REFERENCE-3", refunds)
]

const statuses = [
  row("Document status FISCALIZED", "the only receipt", "DOCUMENT-2", "DOCUMENT-3", "DOCUMENT-7"),
  row("Document status REJECTED", "final, not retryable", "DOCUMENT-2", "DOCUMENT-8", "DOCUMENT-9"),
  row("Document status NOT_FISCALIZED", "nothing sent, retryable but behind a rejected advance refund", "DOCUMENT-8"),
  row("Document status OUTCOME_UNKNOWN", "no receipt yet, never repeated", "DOCUMENT-4", "DOCUMENT-9"),
  row("Document status RECONCILING", "searched at the V-PFR", "DOCUMENT-1", "DOCUMENT-6"),
  row("Document statuses in transit", "RECEIVED, VALIDATED, SUBMITTING are no receipts", "DOCUMENT-1", "DOCUMENT-7")
]

const transitions = [
  row("SUBMITTING → FISCALIZED", "a signed answer, stored durably", "DOCUMENT-1", operationStore),
  row("SUBMITTING → REJECTED", "the V-PFR rejects", "DOCUMENT-1", sales),
  row("before submission → NOT_FISCALIZED", "nothing sent", "DOCUMENT-1", sales),
  row("SUBMITTING → OUTCOME_UNKNOWN", "no answer; never sent again", "DOCUMENT-1", "DOCUMENT-4", "contract-tests/test/unknownOutcomes.test.ts"),
  row("OUTCOME_UNKNOWN → RECONCILING", "background search", "DOCUMENT-1", "contract-tests/src/ports/UnresolvedOperations.contract.ts"),
  row("RECONCILING → FISCALIZED", "found at the V-PFR", "DOCUMENT-1", "contract-tests/test/unknownOutcomes.test.ts"),
  row("NOT_FISCALIZED → FISCALIZED", "same key drives the same operation again", "DOCUMENT-4", "DOCUMENT-8", operationStore),
  row("FISCALIZED → FISCALIZED", "a replay answers the stored document", "IDEMPOTENCY-1", "DOCUMENT-5", sales)
]

const workflows = [
  row("Refund status COMPLETED", "refund, and copy if needed, are receipts", "REFUND-WORKFLOW-1", "REFUND-WORKFLOW-3", refunds),
  row("Refund status REFUND_PENDING", "reserved, not yet sent", "REFUND-WORKFLOW-1", "REFUND-WORKFLOW-3"),
  row("Refund status REFUND_OUTCOME_UNKNOWN", "sent, no answer; holds stay", "REFUND-WORKFLOW-1", "REFUND-WORKFLOW-4"),
  row("Refund status COPY_PENDING", "the refund is a receipt, the copy is due", "REFUND-WORKFLOW-1", "REFUND-WORKFLOW-5"),
  row("Refund status COPY_OUTCOME_UNKNOWN", "the copy's outcome is unknown", "REFUND-WORKFLOW-1", "REFUND-WORKFLOW-5"),
  row("Refund status FAILED", "rejected or never sent; quantities are free again", "REFUND-WORKFLOW-1", "REFUND-WORKFLOW-4", "REFUND-WORKFLOW-6"),
  row("Advance case states", "open, awaiting an outcome, closed, failed", "ADVANCE-CASE-2", "ADVANCE-CASE-3"),
  row("Advance case: cancellation", "the latest advance only", "ADVANCE-CASE-4", "ADVANCE-6"),
  row("Advance case: closing", "the top-up alone, an Advance Refund, then the final sale", "ADVANCE-3", "ADVANCE-4", "ADVANCE-5", "ADVANCE-CASE-3"),
  row("Proforma and training statuses", "states of the workflow; refunds repeat the whole source", "PROFORMA-1", "PROFORMA-6", "PROFORMA-7")
]

const kinds = [
  row("Matrix: Normal Sale", "refers to the closing Advance Refund, named by the service", "REFERENCE-1", "REFERENCE-2"),
  row("Matrix: Normal Refund", "refers to a Normal Sale of the service", "REFERENCE-1", "REFERENCE-2"),
  row("Matrix: Copy, sale and refund", "refers to a Normal or Advance document of its transaction type", "REFERENCE-1", "COPY-1"),
  row("Matrix: Advance Sale", "refers to the Advance Sale before it", "REFERENCE-1", "ADVANCE-2"),
  row("Matrix: Advance Refund", "refers to the latest Advance Sale", "REFERENCE-1", "ADVANCE-2"),
  row("Matrix: Proforma Sale and Refund", "a refund refers to a Proforma Sale", "REFERENCE-1", "PROFORMA-5"),
  row("Matrix: Training Sale and Refund", "a refund refers to a Training Sale", "REFERENCE-1", "PROFORMA-5"),
  row("Matrix: external documents", "referred to by copies only", "REFERENCE-4", "SALE-8"),
  row("Document types", "each kind has its operation", "DOCUMENT-13", "SALE-7", "WORKFLOW-BODY-10"),
  row("Buyer identification", "prefixes and forms of id and optional field", "BUYER-1", "BUYER-3"),
  row("Buyer details", "from the company register, for domestic companies only", "BUYER-2", "BUYER-4"),
  row("Line items and payments", "bounds and forms of every field", "SALE-4", "SALE-10", "BODY-4", "BODY-6"),
  row("V-PFR rejection codes", "each as the V-PFR answers it", "hosts/vpfr-simulator/test/validation.test.ts"),
  row("Receipt representations", "seven, of receipts only", `${http}/representations.contract.ts`),
  row("Product import and export", "one format, all or nothing, deterministic", "CATALOGUE-1", "CATALOGUE-2", "CATALOGUE-5"),
  row("Receipt delivery", "fiscalized documents given to the buyer only", "DELIVERY-1", "DELIVERY-2")
]

const authentication = [
  row("Authentication 1 and 2", "token request and answer", tokens),
  row("Authentication 3 and 4", "every call carries a token; claims are enforced", access),
  row("Authentication 6", "twelve scopes", "SCOPE-1", access),
  row("Authentication 7", "the credential decides the environment", "PREMISE-2", "IDEMPOTENCY-2", "contract-tests/src/http/tenancy.contract.ts"),
  row("Authentication 8", "licensing in production only", "LICENSE-1", "LICENSE-2", "LICENSE-3")
]

const limits = [
  row("Limit: access token lifetime", "300 seconds", tokens),
  row("Limit: Idempotency-Key", "16 to 200 characters, unique per organization, bound to content", "BODY-9", "IDEMPOTENCY-1", "IDEMPOTENCY-2"),
  row("Limit: amounts", "two decimals, bounded", "MONEY-5", "BODY-6"),
  row("Limit: quantity", "0.001 to 99999999999.999, three decimals", "MONEY-5", "BODY-6"),
  row("Limit: item name and unit", "1 to 2048 and 1 to 50 characters", "BODY-4"),
  row("Limit: GTIN", "8 to 14 digits on a line, 32 characters on a product", "SALE-10", "CATALOGUE-8"),
  row("Limit: commercialFooter", "2000 characters", "BODY-4"),
  row("Limit: items and payments", "at least one each", "BODY-5"),
  row("Limit: product fields and search", "sku 100, name 500, search 200 characters", "CATALOGUE-8"),
  row("Limit: catalogue import", "1,000 rows, all or nothing", "CATALOGUE-4", "CATALOGUE-5"),
  row("Limit: journal export", "10,000 rows", "JOURNAL-6"),
  row("Limit: page size", "1 to 200, usually 50", "JOURNAL-5"),
  row("Limit: pagination", "by createdAt then id, descending", "JOURNAL-4"),
  row("Limit: time filters", "lower bound inclusive, upper exclusive", "JOURNAL-1"),
  row("Limit: included volume", "600 documents a month, told and never blocking", setup),
  row("Time rules", "ISO 8601; the caller never sends the receipt's time", "BODY-8", "SALE-9", "WORKFLOW-BODY-6", "TIME-5"),
  row("Turnover report", "sales less refunds", "TURNOVER-1", "TURNOVER-2", journal),
  row("Journal search", "filters of the journal", "JOURNAL-2", "JOURNAL-3", journal)
]

/** Every numbered rule, transition, limit and matrix row of the specification, without the rules for the caller's own behaviour. */
export const specificationRows: ReadonlyArray<SpecificationRow> = [
  ...saleRules,
  ...refundRules,
  ...statuses,
  ...transitions,
  ...workflows,
  ...kinds,
  ...authentication,
  ...limits
]
