import type {
  AdvanceCancellationTargetNotLatest,
  AdvanceCaseCloseAlreadyReserved,
  AdvanceCaseHasNoFiscalizedSale,
  AdvanceCaseNotFound,
  AdvanceCaseNotOpen,
  AdvanceCloseTotalMismatch,
  AdvancePaymentSuperseded
} from "./advances/errors.ts"
import type {
  CatalogueImportHeadersInvalid,
  CatalogueImportTooManyRows,
  CatalogueSkuAlreadyExists,
  ProductNotFound
} from "./catalogue/errors.ts"
import type {
  ReceiptDeliveryDisabled,
  ReceiptDeliveryDocumentNotFiscalized,
  ReceiptDeliveryDocumentNotIssuedToBuyer,
  ReceiptDeliveryNotFound,
  ReceiptDeliveryRateLimited,
  ReceiptDeliveryUnavailable
} from "./delivery/errors.ts"
import type {
  FiscalDocumentNotFound,
  OperationNotFound,
  PaymentTypeNotAllowedOnPremise,
  PfrEnvironmentDisabled,
  PfrSandboxNotConfigured,
  RestoreInProgress,
  RepresentationNotAvailable
} from "./documents/errors.ts"
import type { ErrorCode } from "./ErrorCode.ts"
import type {
  IdempotencyKeyReusedInOtherEnvironment,
  IdempotencyKeyReusedWithDifferentRequest
} from "./idempotency/errors.ts"
import type { JournalExportResultLimitExceeded } from "./journal/errors.ts"
import type {
  LicenseExpired,
  LicenseNotStarted,
  LicenseRequired,
  LicenseSuspended,
  ModuleNotLicensed
} from "./licensing/errors.ts"
import type {
  ProformaTrainingSourceAlreadyRefunded,
  ProformaTrainingWorkflowReservationConflict,
  WorkflowNotFound
} from "./proforma-training/errors.ts"
import type {
  CopySourceNotCopyable,
  CopySourceNotFiscalized,
  ReferenceDocumentNotFiscalized,
  ReferenceDocumentNotFound,
  ReferenceDocumentScopeMismatch,
  ReferenceDocumentTypeNotAllowed
} from "./references/errors.ts"
import type {
  RefundCumulativeQuantityExceeded,
  RefundItemMustMatchOriginalLine,
  RefundOriginalLineNotFound,
  RefundQuantityExceedsOriginal,
  RefundWorkflowNotFound
} from "./refunds/errors.ts"
import type {
  CurrentTaxConfigurationUnavailable,
  TaxLabelNotAllowedOutsideVat,
  TaxLabelNotCurrent
} from "./tax/errors.ts"
import type {
  ActiveSecurityElementRequired,
  BusinessPremiseInactive,
  BusinessPremiseNotFound,
  CredentialEnvironmentMismatch,
  CredentialEnvironmentRequired,
  LpfrRequiredForInPersonSales,
  TaxpayerNotFound
} from "./tenancy/errors.ts"
import type { TaxpayerAlreadyExists } from "./tenancy/errors.ts"

/** Every refusal by a rule. Each is one code of the error catalogue with its facts as fields. */
export type RuleRefusal =
  | ActiveSecurityElementRequired
  | AdvanceCancellationTargetNotLatest
  | AdvanceCaseCloseAlreadyReserved
  | AdvanceCaseHasNoFiscalizedSale
  | AdvanceCaseNotFound
  | AdvanceCaseNotOpen
  | AdvanceCloseTotalMismatch
  | AdvancePaymentSuperseded
  | BusinessPremiseInactive
  | BusinessPremiseNotFound
  | CatalogueImportHeadersInvalid
  | CatalogueImportTooManyRows
  | CatalogueSkuAlreadyExists
  | CopySourceNotCopyable
  | CopySourceNotFiscalized
  | CredentialEnvironmentMismatch
  | CredentialEnvironmentRequired
  | CurrentTaxConfigurationUnavailable
  | FiscalDocumentNotFound
  | IdempotencyKeyReusedInOtherEnvironment
  | IdempotencyKeyReusedWithDifferentRequest
  | JournalExportResultLimitExceeded
  | LicenseExpired
  | LicenseNotStarted
  | LicenseRequired
  | LicenseSuspended
  | LpfrRequiredForInPersonSales
  | ModuleNotLicensed
  | OperationNotFound
  | PaymentTypeNotAllowedOnPremise
  | PfrEnvironmentDisabled
  | RestoreInProgress
  | PfrSandboxNotConfigured
  | ProductNotFound
  | ProformaTrainingSourceAlreadyRefunded
  | ProformaTrainingWorkflowReservationConflict
  | ReceiptDeliveryDisabled
  | ReceiptDeliveryDocumentNotFiscalized
  | ReceiptDeliveryDocumentNotIssuedToBuyer
  | ReceiptDeliveryNotFound
  | ReceiptDeliveryRateLimited
  | ReceiptDeliveryUnavailable
  | ReferenceDocumentNotFiscalized
  | ReferenceDocumentNotFound
  | ReferenceDocumentScopeMismatch
  | ReferenceDocumentTypeNotAllowed
  | RefundCumulativeQuantityExceeded
  | RefundItemMustMatchOriginalLine
  | RefundOriginalLineNotFound
  | RefundQuantityExceedsOriginal
  | RefundWorkflowNotFound
  | RepresentationNotAvailable
  | TaxLabelNotAllowedOutsideVat
  | TaxLabelNotCurrent
  | TaxpayerAlreadyExists
  | TaxpayerNotFound
  | WorkflowNotFound

/** The codes of refusals; each must be one of the catalogue, or this does not compile. */
export type RefusalCode = RuleRefusal["code"] extends ErrorCode ? RuleRefusal["code"] : never
