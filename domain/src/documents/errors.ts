import { Schema } from "effect"
import { FiscalDocumentId } from "../tenancy/identifiers.ts"
import { DocumentStatus } from "./DocumentStatus.ts"
import { PaymentType } from "./LineItem.ts"

/** There is no such document in the caller's organization and environment. Source: Spec, Errors, Catalogue. */
export class FiscalDocumentNotFound
  extends Schema.TaggedError<FiscalDocumentNotFound>()("FiscalDocumentNotFound", { fiscalDocumentId: Schema.String })
{
  readonly code = "FISCAL_DOCUMENT_NOT_FOUND"
}

/** There is no such operation in the caller's organization and environment. Source: Decisions §1. */
export class OperationNotFound
  extends Schema.TaggedError<OperationNotFound>()("OperationNotFound", { operationId: Schema.String })
{
  readonly code = "OPERATION_NOT_FOUND"
}

/** The premise is in restricted payment mode. `paymentTypes` are the refused ones. Source: Spec, fiscal-documents rule 6. */
export class PaymentTypeNotAllowedOnPremise
  extends Schema.TaggedError<PaymentTypeNotAllowedOnPremise>()("PaymentTypeNotAllowedOnPremise", {
    paymentTypes: Schema.Array(PaymentType)
  })
{
  readonly code = "PAYMENT_TYPE_NOT_ALLOWED_ON_PREMISE"
}

/** The installation has no V-PFR configured for the environment. Source: Spec, Errors, Catalogue; Decisions §2, step 8a. */
export class PfrSandboxNotConfigured
  extends Schema.TaggedError<PfrSandboxNotConfigured>()("PfrSandboxNotConfigured", {})
{
  readonly code = "PFR_SANDBOX_NOT_CONFIGURED"
}

/** Fiscal traffic of the environment is switched off, or production has no ESIR number. Source: Decisions §2, step 8b. */
export class PfrEnvironmentDisabled
  extends Schema.TaggedError<PfrEnvironmentDisabled>()("PfrEnvironmentDisabled", {})
{
  readonly code = "PFR_ENVIRONMENT_DISABLED"
}

/**
 * The database was restored to an earlier point in time, and the keys and receipts issued since then are being put back. Nothing may be issued
 * meanwhile, because it may exist already. Source: Decisions §15.
 */
export class RestoreInProgress extends Schema.TaggedError<RestoreInProgress>()("RestoreInProgress", {}) {
  readonly code = "RESTORE_IN_PROGRESS"
}

/** Only a fiscalized document is a receipt, and only a receipt has representations (Decisions §6). */
export class RepresentationNotAvailable
  extends Schema.TaggedError<RepresentationNotAvailable>()("RepresentationNotAvailable", {
    id: FiscalDocumentId,
    status: DocumentStatus
  })
{
  readonly code = "REPRESENTATION_NOT_AVAILABLE"
}
