import { Schema } from "effect"

/**
 * What a caller may do after a code. `same key`: the same request with the same Idempotency-Key; `fix request`: new content and a
 * new key; `later`: something changes outside the caller's system; `never`: repeating cannot help. Source: Spec, Errors.
 */
export type Retry = "same key" | "fix request" | "later" | "never"

export interface CatalogueEntry {
  /** The HTTP status that the specification gives the code. */
  readonly status: number
  readonly meaning: string
  readonly retry: Retry
  /** One sentence: what to do next. */
  readonly nextStep: string
}

const entry = (status: number, retry: Retry, meaning: string, nextStep: string): CatalogueEntry => ({ status, meaning, retry, nextStep })

const readBack = "Poll GET /v1/operations/{id} until it is FISCALIZED or an operator has decided, and send nothing new for this sale."

/**
 * The one list of codes: each with its HTTP status, its meaning, whether repeating helps, and the next step. Source: Spec, Errors, Catalogue of codes;
 * where the specification names none, Decisions §1, §4, §5, §6, §10.
 */
const catalogue = {
  CREDENTIAL_ENVIRONMENT_MISMATCH: entry(
    403, "fix request",
    "The credential belongs to one environment, the premise's security element to the other; nothing was issued.",
    "Use the credential of the environment the premise is set up in."
  ),
  CREDENTIAL_ENVIRONMENT_REQUIRED: entry(403, "never", "The credential carries no environment.", "Have a credential issued for sandbox or production."),
  LICENSE_REQUIRED: entry(403, "later", "The organization has no production licence.", "Ask the operator for a licence."),
  LICENSE_NOT_STARTED: entry(403, "later", "The production licence begins later.", "Wait for its start, which GET /v1/license shows."),
  LICENSE_EXPIRED: entry(403, "later", "The production licence has expired; refunds and advance cancellations still work.", "Have the licence renewed."),
  LICENSE_SUSPENDED: entry(403, "later", "The operator has suspended the production licence.", "Contact the operator."),
  MODULE_NOT_LICENSED: entry(
    403, "later",
    "The module named in `module` is not enabled for the organization.",
    "Have the module enabled, then repeat the request."
  ),
  TAXPAYER_NOT_FOUND: entry(
    404, "fix request",
    "The taxpayer is not in the organization and environment of the credential, or is inactive.",
    "Take the id from GET /v1/taxpayers."
  ),
  BUSINESS_PREMISE_NOT_FOUND: entry(
    404, "fix request",
    "The premise is not in this environment, or belongs to another taxpayer.",
    "Take the id from GET /v1/taxpayers/{taxpayerId}/business-premises."
  ),
  FISCAL_DOCUMENT_NOT_FOUND: entry(
    404, "fix request",
    "The document is not in the organization and environment of the credential.",
    "Check the id and the credential's environment."
  ),
  IDEMPOTENCY_KEY_REUSED_WITH_DIFFERENT_REQUEST: entry(
    409, "never",
    "The key is bound to other content; `operationId` names what has it: GET /v1/operations/{id}, for a case that was opened GET /v1/advance-cases/{id}, for a delivery GET /v1/receipt-deliveries/{id}. Nothing was issued.",
    "Read what `operationId` names; use a new key only for another sale."
  ),
  IDEMPOTENCY_KEY_REUSED_IN_OTHER_ENVIRONMENT: entry(
    409, "never",
    "The key was already used with a credential of the other environment. Nothing was issued.",
    "Use each key only once, across both environments."
  ),
  LPFR_REQUIRED_FOR_IN_PERSON_SALES: entry(
    422, "never",
    "The premise is not a distance-commerce premise; sales in person need a local fiscal processor.",
    "Issue from a distance-commerce premise."
  ),
  BUSINESS_PREMISE_INACTIVE: entry(422, "later", "The premise is suspended or closed.", "Have the premise activated."),
  ACTIVE_SECURITY_ELEMENT_REQUIRED: entry(422, "later", "The premise has no active security element.", "Have a security element uploaded and activated."),
  TAX_LABEL_NOT_CURRENT: entry(
    422, "fix request",
    "The labels in `invalidLabels` are not in the current configuration of the tax authority.",
    "Read GET /v1/tax-rates and use its labels exactly as they are written."
  ),
  TAX_LABEL_NOT_ALLOWED_OUTSIDE_VAT: entry(
    422, "fix request",
    "The taxpayer is outside the VAT system and the labels in `invalidLabels` are VAT labels.",
    "Use a label that is not a VAT one, or have the taxpayer's VAT status corrected."
  ),
  PAYMENT_TYPE_NOT_ALLOWED_ON_PREMISE: entry(
    422, "fix request",
    "The premise takes only OTHER, CASH, WIRE_TRANSFER and VOUCHER.",
    "Send one of the payment types the premise takes."
  ),
  REFERENCE_DOCUMENT_NOT_FOUND: entry(422, "fix request", "The referenced document does not exist.", "Check its id."),
  REFERENCE_DOCUMENT_NOT_FISCALIZED: entry(
    422, "fix request",
    "The referenced document is not a receipt.",
    "Refer to a fiscalized document; if its outcome is unknown, wait until it is resolved."
  ),
  REFERENCE_DOCUMENT_SCOPE_MISMATCH: entry(
    422, "fix request",
    "The referenced document belongs to another taxpayer or premise.",
    "Send the taxpayer and premise of the referenced document."
  ),
  REFERENCE_DOCUMENT_TYPE_NOT_ALLOWED: entry(
    422, "fix request",
    "A document of this type must not refer to one of that type.",
    "Leave the reference out, or use the operation that makes it."
  ),
  REFUND_QUANTITY_EXCEEDS_ORIGINAL: entry(
    422, "fix request",
    "More is to be refunded than the line sold.",
    "Refund at most the line's quantity; GET /v1/fiscal-documents/{id}/refundable shows what is left."
  ),
  REFUND_CUMULATIVE_QUANTITY_EXCEEDED: entry(
    422, "never",
    "With the earlier refunds, more would be refunded than the line sold.",
    "Read GET /v1/fiscal-documents/{id}/refundable and refund at most what is left."
  ),
  REFUND_ITEM_MUST_MATCH_ORIGINAL_LINE: entry(
    422, "fix request",
    "Name, unit, price, labels or GTIN differ from the line at `originalLineIndex`.",
    "Copy the item from the original's canonical-json representation."
  ),
  REFUND_ORIGINAL_LINE_NOT_FOUND: entry(422, "fix request", "The original has no line at `originalLineIndex`.", "Count the original's items from zero."),
  COPY_SOURCE_NOT_COPYABLE: entry(422, "never", "Copies, proforma and training documents cannot be copied.", "Copy the original document instead."),
  COPY_SOURCE_NOT_FISCALIZED: entry(422, "never", "The document to copy is not a receipt.", "Copy a fiscalized document."),
  ADVANCE_CASE_NOT_OPEN: entry(
    409, "never",
    "The advance case is closed, failed, or waits for an outcome or for the final sale of its closing.",
    "Read the case; once an outcome is resolved it may be open again, and after a rejected final sale a corrected closing with a new key ends it."
  ),
  ADVANCE_CANCELLATION_TARGET_NOT_LATEST: entry(
    422, "fix request",
    "`advanceSaleId` is an advance sale of the case, and not the latest one that is fiscalized and not cancelled.",
    "Read the case and cancel its advance sales from the latest back."
  ),
  ADVANCE_CLOSE_TOTAL_MISMATCH: entry(
    422, "fix request",
    "remainingPayments differs from the final total less the total advance.",
    "Send exactly the difference; one payment of 0 when nothing remains."
  ),
  ADVANCE_CASE_HAS_NO_FISCALIZED_SALE: entry(
    422, "never",
    "A case without a fiscalized advance sale or an external advance has nothing to close.",
    "Issue a Normal Sale instead."
  ),
  ADVANCE_PAYMENT_SUPERSEDED: entry(
    409, "never",
    "A later payment has followed the one this request repeats.",
    "Read the case and add a new payment under a new key if it is still due."
  ),
  ADVANCE_CASE_CLOSE_ALREADY_RESERVED: entry(
    409, "same key",
    "The closing was already begun under another key.",
    "Repeat the closing with the key that began it."
  ),
  ADVANCE_REFUND_NOT_FISCALIZED: entry(
    503, "never",
    "The advance refund of a closing was not issued, and the final receipt was never sent: the tax authority rejected the refund and the case is FAILED, or the operator gave the closing up.",
    "Read the case; where it is FAILED settle it with the operator, else close it again with a new key."
  ),
  PROFORMA_TRAINING_WORKFLOW_RESERVATION_CONFLICT: entry(
    409, "never",
    "Another refund of the same source is not resolved yet; `workflowId` names it.",
    "Read that workflow and wait for its outcome."
  ),
  PROFORMA_TRAINING_SOURCE_ALREADY_REFUNDED: entry(
    409, "never",
    "The proforma or training document is already refunded in full.",
    "Nothing is left to refund."
  ),
  CATALOGUE_SKU_ALREADY_EXISTS: entry(409, "fix request", "The taxpayer already has a product with this sku.", "Change that product, or choose another sku."),
  CATALOGUE_IMPORT_TOO_MANY_ROWS: entry(422, "fix request", "The file has more than 1,000 rows; nothing was imported.", "Split the file."),
  CATALOGUE_IMPORT_HEADERS_INVALID: entry(
    422, "fix request",
    "The file's header is not that of an export; `missing`, `unexpected` and `repeated` name the columns. Nothing was imported.",
    "Use an export as the template."
  ),
  JOURNAL_EXPORT_RESULT_LIMIT_EXCEEDED: entry(422, "fix request", "More than 10,000 rows match.", "Narrow the filters, for example to shorter periods."),
  RECEIPT_DELIVERY_DISABLED: entry(422, "later", "The taxpayer has not enabled e-mail delivery.", "Enable it in the portal."),
  RECEIPT_DELIVERY_DOCUMENT_NOT_FISCALIZED: entry(422, "never", "The document is not a receipt.", "Send a receipt only once the document is FISCALIZED."),
  RECEIPT_DELIVERY_DOCUMENT_NOT_ISSUED_TO_BUYER: entry(
    422, "never",
    "An Advance Refund and its copy are not given to the buyer.",
    "Send the final receipt instead."
  ),
  RECEIPT_DELIVERY_UNAVAILABLE: entry(
    503, "same key",
    "The e-mail transport is not configured or not available; nothing was queued.",
    "Repeat the request with the same key later."
  ),
  PFR_SANDBOX_NOT_CONFIGURED: entry(
    503, "same key",
    "This installation has no V-PFR configured for the environment; nothing was issued.",
    "Have the operator configure it, then repeat the request with the same key."
  ),
  PFR_ENVIRONMENT_DISABLED: entry(
    503, "later",
    "Fiscal traffic of the environment is switched off; nothing was issued.",
    "Wait until the operator has switched it on."
  ),
  RESTORE_IN_PROGRESS: entry(503, "same key", "The installation is being restored from a backup; nothing was reserved or sent.",
    "Wait until it is over and repeat the request with the same key; never with another one, because its receipt may exist already."),
  CURRENT_TAX_CONFIGURATION_UNAVAILABLE: entry(
    503, "same key",
    "The V-PFR gave no fresh tax configuration; nothing was reserved or sent.",
    "Wait a few seconds and repeat the request with the same key."
  ),
  PFR_SECURITY_ELEMENT_UNAVAILABLE: entry(
    503, "same key",
    "The security element could not be used; nothing was signed.",
    "Repeat the request with the same key; if it fails again, have the security element checked."
  ),
  PFR_SUBMISSION_CANCELLED_BEFORE_SEND: entry(503, "same key", "The caller disconnected before anything was sent.", "Repeat the request with the same key."),
  PFR_SUBMISSION_FAULT: entry(503, "never", "A fault occurred while sending; whether the request arrived is unknown.", readBack),
  OUTCOME_UNKNOWN: entry(503, "never", "The request may have reached the V-PFR; no usable answer came.", readBack),
  PFR_VALIDATION_REJECTED: entry(
    422, "fix request",
    "The V-PFR rejected the request; `pfrRejection` names the fields.",
    "Correct the named fields and send the request with a new key."
  ),
  MALFORMED_JSON: entry(400, "fix request", "The body is not JSON that this service accepts.", "Send valid JSON in UTF-8."),
  NOT_FOUND: entry(404, "fix request", "This release has no such path.", "Look for the path in `/openapi.yaml` of this installation, which lists the operations of its release."),
  METHOD_NOT_ALLOWED: entry(405, "fix request", "The path exists, but not with this method.", "Use a method of the `Allow` header."),
  REQUEST_TOO_LARGE: entry(413, "fix request", "The body is larger than the limit.", "Send a smaller body."),
  UNSUPPORTED_MEDIA_TYPE: entry(
    415, "fix request",
    "The body has another media type than this operation accepts, or has a Content-Encoding.",
    "Send the media type the contract names, without Content-Encoding."
  ),
  UNAUTHENTICATED: entry(
    401, "same key",
    "The token is missing, expired or not issued for this API.",
    "Obtain a new token and repeat the same request with the same key."
  ),
  INSUFFICIENT_SCOPE: entry(403, "never", "The token lacks the scope named in `scope`.", "Use a token with that scope."),
  CREDENTIAL_RESTRICTED_TO_PREMISES: entry(
    403, "never",
    "The credential is restricted to premises, and the request is not about one of them alone; nothing was done.",
    "Name one of the credential's premises in `businessPremiseId`, or use a credential without this restriction."
  ),
  RATE_LIMITED: entry(429, "same key", "Too many requests; nothing was bound or issued.", "Wait as long as `Retry-After` says."),
  STORE_UNAVAILABLE: entry(
    503, "same key",
    "The service's store did not answer; it is not known whether anything was stored or sent.",
    "Wait a few seconds and repeat the request with the same key."
  ),
  INTERNAL_ERROR: entry(
    500, "same key",
    "The service failed internally.",
    "Repeat the request with the same key; if it fails again, give the operator the request id."
  ),
  FISCAL_DOCUMENT_UNREADABLE: entry(
    500, "later",
    "The stored document that the request is about cannot be read; nothing was sent or changed.",
    "Keep the key, and do not issue the same sale under another one: a receipt may exist. The operator has been informed; repeat the same request when the document is repaired."
  ),
  INVALID_QUERY: entry(400, "fix request", "A query parameter is not valid.", "Correct the parameter the message names."),
  OPERATION_NOT_FOUND: entry(404, "fix request", "There is no such operation for this credential.", "Check the id."),
  REFUND_WORKFLOW_NOT_FOUND: entry(404, "fix request", "There is no such refund workflow for this credential.", "Check the id."),
  ADVANCE_CASE_NOT_FOUND: entry(404, "fix request", "There is no such advance case for this credential.", "Check the id."),
  WORKFLOW_NOT_FOUND: entry(404, "fix request", "There is no such workflow for this credential.", "Check the id."),
  PRODUCT_NOT_FOUND: entry(404, "fix request", "There is no such product for this credential.", "Check the id."),
  RECEIPT_DELIVERY_NOT_FOUND: entry(404, "fix request", "There is no such delivery for this credential.", "Check the id."),
  CREDENTIAL_NOT_FOUND: entry(
    404, "fix request",
    "There is no such credential of this organization and environment, it is revoked, or an operator alone manages it.",
    "Take the client id from GET /v1/credentials."
  ),
  OWN_CREDENTIALS_NOT_ALLOWED: entry(
    403, "later",
    "The operator does not allow this organization to issue credentials itself; nothing was done.",
    "Contact the operator."
  ),
  TAXPAYER_ALREADY_EXISTS: entry(
    409, "never",
    "A taxpayer with this tax identifier is already registered in this environment.",
    "Use the registered taxpayer, or contact the operator if it is not yours."
  ),
  WEBHOOK_ENDPOINT_NOT_FOUND: entry(
    404, "fix request",
    "The endpoint is not in the organization and environment of the credential, or it was removed.",
    "Take the id from GET /v1/webhook-endpoints."
  ),
  WEBHOOK_ENDPOINT_ALREADY_EXISTS: entry(
    409, "never",
    "The endpoint named in `webhookEndpointId` has this address.",
    "Change that endpoint. Where you do not have its secret, rotate it."
  ),
  WEBHOOK_ENDPOINT_LIMIT_REACHED: entry(409, "never", "The environment has as many endpoints as it may: `limit`.", "Remove one that you do not use."),
  COSIGNED_CHECKPOINT_NOT_FOUND: entry(
    404, "later",
    "No checkpoint of the log is cosigned by all witnesses of the installation: it has no witness, or they have not cosigned the log yet.",
    "Read GET /v1/journal/checkpoint without `cosigned`; a new log is cosigned within minutes where the operator has set witnesses."
  ),
  EVENT_SEQUENCE_CHANGED: entry(
    409, "fix request",
    "There is no such event: the operator has restored the database to an earlier point, and the events since then have other numbers or are gone.",
    "Read the events from `after=0`, or from the last one whose id you have, and compare the ids with yours."
  ),
  REPRESENTATION_NOT_AVAILABLE: entry(
    409, "later",
    "The document is not a receipt, so there is nothing to show.",
    "Read the document; once it is FISCALIZED its representations exist."
  ),
  PFR_UNAVAILABLE: entry(503, "same key", "The V-PFR could not be reached; nothing was sent.", "Wait a few seconds and repeat the request with the same key."),
  OPERATOR_CONFIRMED_NOT_ISSUED: entry(
    503, "same key",
    "An operator has confirmed that no receipt was issued.",
    "Repeat the request with the same key if the sale still stands."
  )
} satisfies Readonly<Record<string, CatalogueEntry>>

/** Every code an answer of the service can carry, as `code` of a refusal or `failureCode` of a document. */
export const ErrorCode = /* @__PURE__ */ Schema.Literals(Object.keys(catalogue) as ReadonlyArray<keyof typeof catalogue>)
export type ErrorCode = typeof ErrorCode.Type

/** The catalogue's entry of every code. */
export const errorCatalogue: Readonly<Record<ErrorCode, CatalogueEntry>> = catalogue
