/** What issuing needs from outside: interfaces without an implementation. */
export { BrandingChanged, BrandingStore } from "../ports/BrandingStore.ts"
export { CompanyRegister } from "../ports/CompanyRegister.ts"
export { type Credential, Credentials, type TokenKey } from "../ports/Credentials.ts"
export { Identifiers } from "../ports/Identifiers.ts"
export { Installation } from "../ports/Installation.ts"
export { LicenseRegister } from "../ports/LicenseRegister.ts"
export {
  type ClaimedCheck, type Concluded, type Conclusion, OperationStore, type Redrive, type Reservation, type Reserved, UnresolvedOperations
} from "../ports/OperationStore.ts"
export { ReceiptRenderer, RenderingUnavailable } from "../ports/ReceiptRenderer.ts"
export { type ElementCredentials, SecurityElements, SecurityElementUnavailable } from "../ports/SecurityElements.ts"
export { StoreUnavailable } from "../ports/StoreUnavailable.ts"
export { type OpenedElement, SubmissionNotPossible, type SubmissionTerms, TaxAuthority } from "../ports/TaxAuthority.ts"
export { TaxConfigurationUnavailable, TaxRates } from "../ports/TaxRates.ts"
export { TenancyDirectory } from "../ports/TenancyDirectory.ts"
export {
  type AccessActs, ActRefused, Administration, type ElementActs,
  type InstallationActs, type IssuedCredential, type NewTokenKey,
  type RecordActs, type RegistrationQuota, type TenancyActs
} from "../ports/Administration.ts"
export {
  type ClaimedDelivery, DeliveryOutbox, type DeliveryPlace, DeliveryStore, failuresToBreakTransport, type Queued, type TransportState
} from "../ports/DeliveryStore.ts"
export { ReceiptMailer } from "../ports/ReceiptMailer.ts"
export { DocumentCounts } from "../ports/DocumentCounts.ts"
export { type RefundReservation, type RefundReserved, RefundStore, type StoredRefund } from "../ports/RefundStore.ts"
export {
  type ActivityFilter, type AttemptEvidence, type AttentionEntry, type CredentialEntry, type ElementEntry, type InstallationFigures,
  type MemberEntry, type OrganizationEntry, Oversight, type PoolEntry, type TaxpayerEntry, type UnresolvedEntry
} from "../ports/Oversight.ts"
export { JournalLog } from "../ports/JournalLog.ts"
export { type JournalPage, type JournalSelection, JournalStore, JournalUpkeep } from "../ports/JournalStore.ts"
export { type ProductFilter, type ProductImportResult, type ProductPage, ProductStore } from "../ports/ProductStore.ts"
export {
  type InvitationEntry, Invitations, type NewPerson, type NewSession, type OpenSession, People, PersonActRefused, PortalSessions
} from "../ports/People.ts"
export { SignInChecks } from "../ports/SignInChecks.ts"
export { RecentDocuments } from "../ports/RecentDocuments.ts"
export { AdvanceCases, type CaseOpened, type CaseReserved } from "../ports/AdvanceCases.ts"
export { ProformaTrainingDocuments } from "../ports/ProformaTrainingDocuments.ts"
