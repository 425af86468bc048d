import type { ErrorCode } from "@overa/domain"

/** Parts of the declarations' `errors`. An operation declares the codes that its handler may fail with, and no others. */
type Codes = ReadonlyArray<ErrorCode>

/** Refusals by the premise before the payments are checked (Decisions §2, steps 5 to 8). */
const premiseErrors = [
  "TAXPAYER_NOT_FOUND",
  "BUSINESS_PREMISE_NOT_FOUND",
  "CREDENTIAL_ENVIRONMENT_MISMATCH",
  "LPFR_REQUIRED_FOR_IN_PERSON_SALES",
  "BUSINESS_PREMISE_INACTIVE"
] as const satisfies Codes

/** Refusals after that: the element, then the installation (Decisions §2, steps 8 to 8b). */
const signingErrors = [
  "ACTIVE_SECURITY_ELEMENT_REQUIRED",
  "PFR_SANDBOX_NOT_CONFIGURED",
  "RESTORE_IN_PROGRESS",
  "PFR_ENVIRONMENT_DISABLED"
] as const satisfies Codes

/** Refusals of a key that is in use (Decisions §3). */
export const keyErrors = [
  "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST",
  "IDEMPOTENCY_KEY_REUSED_IN_OTHER_ENVIRONMENT"
] as const satisfies Codes

/** Refusals by premise and installation where the payment mode is not checked. */
export const placeErrors = [...premiseErrors, ...signingErrors] as const satisfies Codes

const paidPlaceErrors = [...premiseErrors, "PAYMENT_TYPE_NOT_ALLOWED_ON_PREMISE", ...signingErrors] as const satisfies Codes

/** Refusals that any request for a document with payments can have, in the order of the checks (Decisions §2). */
export const mutationErrors = [...keyErrors, ...paidPlaceErrors] as const satisfies Codes

/** Refusals by the production licence, for sales, copies, proforma, training and advances (Spec, Authentication 8). */
export const licenseErrors = ["LICENSE_REQUIRED", "LICENSE_NOT_STARTED", "LICENSE_EXPIRED", "LICENSE_SUSPENDED"] as const satisfies Codes

export const taxLabelErrors = [
  "CURRENT_TAX_CONFIGURATION_UNAVAILABLE",
  "TAX_LABEL_NOT_CURRENT",
  "TAX_LABEL_NOT_ALLOWED_OUTSIDE_VAT"
] as const satisfies Codes

/** Refusals that a dry run can have: it has no key (Decisions §14, Dry run). */
export const dryRunErrors = [
  ...paidPlaceErrors,
  ...licenseErrors,
  ...taxLabelErrors,
  "REFERENCE_DOCUMENT_NOT_FOUND",
  "REFERENCE_DOCUMENT_SCOPE_MISMATCH",
  "REFERENCE_DOCUMENT_TYPE_NOT_ALLOWED",
  "REFERENCE_DOCUMENT_NOT_FISCALIZED"
] as const satisfies Codes

/** Refusals that a sale can have. */
export const documentErrors = [...keyErrors, ...dryRunErrors] as const satisfies Codes
