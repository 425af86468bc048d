import type {
  AccessOversight,
  AdvanceCaseList,
  AdvanceCases,
  BrandingStore,
  Cosignatures,
  CompanyRegister,
  CredentialActs,
  DeliveryStore,
  DocumentCounts,
  ElementContacts,
  EventFeed,
  WebhookKeys,
  WebhookMessages,
  WebhookStore,
  Identifiers,
  InFlight,
  Installation,
  JournalLog,
  JournalStore,
  KnownSigners,
  LicenseRegister,
  MailTransport,
  OperationHistory,
  OperationStore,
  ProductReferences,
  ProductStore,
  ProformaTrainingDocuments,
  ReceiptRenderer,
  RefundStore,
  SellerDetails,
  TaxAuthority,
  TaxpayerActs,
  TaxRates,
  TenancyDirectory,
  UnresolvedOperations
} from "@overa/domain"
import type { Callers, TokenEndpoint } from "@overa/adapter-identity"

/** The ports every request may use, and the two of identity: what the host's one runtime provides. */
export type HostServices =
  | TaxpayerActs
  | CredentialActs
  | AccessOversight
  | AdvanceCaseList
  | AdvanceCases
  | BrandingStore
  | Cosignatures
  | Callers
  | CompanyRegister
  | DeliveryStore
  | MailTransport
  | DocumentCounts
  | ElementContacts
  | EventFeed
  | WebhookKeys
  | WebhookMessages
  | WebhookStore
  | Identifiers
  | InFlight
  | Installation
  | JournalLog
  | JournalStore
  | KnownSigners
  | LicenseRegister
  | OperationStore
  | OperationHistory
  | ProductStore
  | ProductReferences
  | ProformaTrainingDocuments
  | ReceiptRenderer
  | RefundStore
  | SellerDetails
  | TaxAuthority
  | TaxRates
  | TenancyDirectory
  | TokenEndpoint
  | UnresolvedOperations
