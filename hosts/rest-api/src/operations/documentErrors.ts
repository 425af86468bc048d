import type { ErrorCode } from "@overa/domain"

/** Refusals by premise and installation that any document can have (Decisions §2, steps 5 to 8b). */
const placeErrors: ReadonlyArray<ErrorCode> = [
  "TAXPAYER_NOT_FOUND",
  "BUSINESS_PREMISE_NOT_FOUND",
  "CREDENTIAL_ENVIRONMENT_MISMATCH",
  "LPFR_REQUIRED_FOR_IN_PERSON_SALES",
  "BUSINESS_PREMISE_INACTIVE",
  "PAYMENT_TYPE_NOT_ALLOWED_ON_PREMISE",
  "ACTIVE_SECURITY_ELEMENT_REQUIRED",
  "PFR_SANDBOX_NOT_CONFIGURED",
  "RESTORE_IN_PROGRESS",
  "PFR_ENVIRONMENT_DISABLED"
]

/** Refusals that any request for a document can have, in the order of the checks (Decisions §2). */
export const mutationErrors: ReadonlyArray<ErrorCode> = [
  "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST",
  "IDEMPOTENCY_KEY_REUSED_IN_OTHER_ENVIRONMENT",
  ...placeErrors
]

/** Refusals by the production licence, for sales, copies, proforma, training and advances (Spec, Authentication 8). */
export const licenseErrors: ReadonlyArray<ErrorCode> = [
  "LICENSE_REQUIRED",
  "LICENSE_NOT_STARTED",
  "LICENSE_EXPIRED",
  "LICENSE_SUSPENDED"
]

export const taxLabelErrors: ReadonlyArray<ErrorCode> = [
  "CURRENT_TAX_CONFIGURATION_UNAVAILABLE",
  "TAX_LABEL_NOT_CURRENT",
  "TAX_LABEL_NOT_ALLOWED_OUTSIDE_VAT"
]

/** Refusals that a dry run can have: it has no key (Decisions §14, Dry run). */
export const dryRunErrors: ReadonlyArray<ErrorCode> = [
  ...placeErrors,
  ...licenseErrors,
  ...taxLabelErrors,
  "REFERENCE_DOCUMENT_TYPE_NOT_ALLOWED"
]

/** Refusals that a sale can have. */
export const documentErrors: ReadonlyArray<ErrorCode> = [
  ...mutationErrors,
  ...licenseErrors,
  ...taxLabelErrors,
  "REFERENCE_DOCUMENT_TYPE_NOT_ALLOWED"
]
