/** The needs of issuing: interfaces without an implementation. */
export { BrandingChanged, BrandingStore, ReceiptRenderer, RenderingUnavailable } from "../ports/ReceiptRenderer.ts"
export { CatalogueActs, type ProductFilter, type ProductImportResult, type ProductPage, ProductReferences, ProductStore } from "../ports/ProductStore.ts"
export { type SavedSearch, savedSearchLimits, SavedSearches, type SearchOwner, type SearchSaved } from "../ports/SavedSearches.ts"
export { type DueMonthMail, type MonthMail, MonthMailOutbox, type MonthMailOwner, MonthMails } from "../ports/MonthMails.ts"
export { MonthBookRenderer, type MonthPaper } from "../ports/MonthBookRenderer.ts"
export { CompanyRegister } from "../ports/CompanyRegister.ts"
export { type Credential, Credentials, Identifiers, Installation, LicenseRegister, TenancyDirectory, type TokenKey } from "../ports/TenancyDirectory.ts"
export {
  type AttemptEvidence, type ClaimedCheck, type Concluded, type Conclusion, type LostAttempt, OperationHistory, OperationStore, type Redrive, type Reservation, type Reserved, UnresolvedOperations
} from "../ports/OperationStore.ts"
export {
  type ElementCredentials, KnownSigners, type OpenedElement, SecurityElements, SecurityElementUnavailable, SellerDetails, SubmissionNotPossible,
  type SubmissionTerms, TaxAuthority, TaxConfigurationUnavailable, TaxRates
} from "../ports/TaxAuthority.ts"
export { type ClaimedWebhook, type WebhookAttempt, WebhookKeys, WebhookMessages, WebhookOutbox, WebhookSender, WebhookStore } from "../ports/Webhooks.ts"
export { type ElsewhereFilter, type ElsewherePage, ElsewhereReceipts, type StoredElsewhereReceipt } from "../ports/ElsewhereReceipts.ts"
export { BookDocuments, type Month } from "../ports/BookDocuments.ts"
export { EventFeed, type EventPage } from "../ports/EventFeed.ts"
export { StoreUnavailable } from "../ports/StoreUnavailable.ts"
export { AccessActs, CredentialActs, type CredentialOptions, ElementActs, InstallationActs, type IssuedCredential, type NewShop, type NewTokenKey, OrganizationActs, type OwnCredentials, TaxpayerActs } from "../ports/TenancyActs.ts"
export { DeliveryActs, ErasureActs, JournalActs, LeavingActs, type PutBack, RecordActs, RestoreActs } from "../ports/RecordActs.ts"
export {
  type ClaimedDelivery, DeliveryOutbox, type DeliveryPlace, DeliveryStore, failuresToBreakTransport, longestHandOverMillis, MailTransport, type Queued, ReceiptMailer,
  type TransportState
} from "../ports/DeliveryStore.ts"
export {
  CounterWatch, type DayOfRefunds, DocumentCounts, JournalAudit, JournalLog, type JournalPage, JournalSealer, JournalStore, JournalUpkeep,
  RecentDocuments, type SealingPass, type SignedCheckpoint
} from "../ports/JournalStore.ts"
export {
  AdvanceCaseList, AdvanceCases, type CaseOpened, type CaseReserved, ProformaTrainingDocuments, type RefundReservation, type RefundReserved, RefundStore,
  type StoredRefund
} from "../ports/WorkflowStores.ts"
export {
  AccessOversight, type ActivityFilter, type AttentionEntry, AttentionOversight, type CredentialEntry, type ElementEntry, ElementOversight,
  type InstallationFigures, InstallationOversight, type MemberEntry, type WaitingRole, OperationOversight, type OrganizationEntry, type PoolEntry, type TaxpayerEntry,
  TenancyOversight, type UnresolvedEntry, type VpfrAnswers
} from "../ports/Oversight.ts"
export {
  type BegunGuess, CashierNames, type InvitationEntry, Invitations, IssuerAccounts, type NewInvitation, type NewPerson, type NewSession, type OpenSession, PasswordResets, People, PersonActRefused, type PersonDevice, PersonDevices, PersonSessions, PortalSessions, SentForms, type SessionBasis, SessionRefused, SignInAttempts
} from "../ports/People.ts"
export { type ClaimedPersonMail, type PersonMail, PersonMailer, PersonMailOutbox, type QueuedPersonMail } from "../ports/PersonMails.ts"
export { type IssuerAccount, IssuerAccountTaken, IssuerRefused, type IssuerSignIn, IssuerUnavailable, SignInIssuer } from "../ports/SignInIssuer.ts"
export { PasskeyActRefused, RecoveryCodes, SecondFactors } from "../ports/SecondFactors.ts"
export { PasskeyChecks, PasskeyNotValid, type PasskeyQuestion, type PasskeyUse } from "../ports/PasskeyChecks.ts"
export { RecoverySecrets, SignInChecks } from "../ports/SignInChecks.ts"
export {
  BillingAccounts, BillingTerms, type InvoiceFilter, type InvoiceIssued, type InvoiceLanguage, InvoiceRenderer, Invoices, type IssuerVersion
} from "../ports/Billing.ts"
export { type Cosignature, Cosignatures, type LogToCosign, Witnesses } from "../ports/Witnessing.ts"
