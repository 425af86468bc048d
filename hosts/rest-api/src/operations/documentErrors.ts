import type { ErrorCode } from "@overa/domain"

/** What place and installation may refuse any document for (Decisions §2, steps 5 to 8b). */
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

/** What may refuse any request that issues a document, in the order of the checks (Decisions §2). */
export const mutationErrors: ReadonlyArray<ErrorCode> = [
  "IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST",
  "IDEMPOTENCY_KEY_REUSED_IN_OTHER_ENVIRONMENT",
  ...placeErrors
]

/** The licence of production, asked of sales, copies, proforma, training and advances (Spec, Authentication 8). */
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

/** What may refuse a sale that is only tried: it has no key (Decisions §14, Dry run). */
export const dryRunErrors: ReadonlyArray<ErrorCode> = [
  ...placeErrors,
  ...licenseErrors,
  ...taxLabelErrors,
  "REFERENCE_DOCUMENT_TYPE_NOT_ALLOWED"
]

/** What may refuse a sale. */
export const documentErrors: ReadonlyArray<ErrorCode> = [
  ...mutationErrors,
  ...licenseErrors,
  ...taxLabelErrors,
  "REFERENCE_DOCUMENT_TYPE_NOT_ALLOWED"
]
