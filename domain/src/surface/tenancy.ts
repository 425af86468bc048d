/** Who issues, where, under which licence; buyers and cashiers; people of the portal. */
export type { License, LicenseModule } from "../licensing/License.ts"
export { LicenseExpired, LicenseNotStarted, LicenseRequired, LicenseSuspended, ModuleNotLicensed } from "../licensing/errors.ts"
export { Buyer } from "../parties/Buyer.ts"
export { BuyerDetails } from "../parties/BuyerDetails.ts"
export { buyerIdFault, buyerIdPattern, buyerIdPrefixes } from "../parties/BuyerId.ts"
export { corporateCardPrefix, isCorporateCard, optionalFieldFault, optionalFieldPrefixes } from "../parties/BuyerOptionalField.ts"
export { Cashier } from "../parties/Cashier.ts"
export { hasRightCheckDigit, registerTaxIdentifier } from "../parties/registerTaxIdentifier.ts"
export { BusinessPremise, CommerceMode, PaymentMode, PremiseStatus } from "../tenancy/BusinessPremise.ts"
export type { Caller, Tenant } from "../tenancy/Caller.ts"
export { Environment } from "../tenancy/Environment.ts"
export { Scope } from "../tenancy/Scope.ts"
export { SecurityElement } from "../tenancy/SecurityElement.ts"
export { PaperFormat, Taxpayer, VatStatus } from "../tenancy/Taxpayer.ts"
export {
  ActiveSecurityElementRequired, BusinessPremiseInactive, BusinessPremiseNotFound, CredentialEnvironmentMismatch,
  CredentialEnvironmentRequired, LpfrRequiredForInPersonSales, TaxpayerAlreadyExists, TaxpayerNotFound
} from "../tenancy/errors.ts"
export { BusinessPremiseId, FiscalDocumentId, OrganizationId, SecurityElementId, TaxpayerId, WorkflowId } from "../tenancy/identifiers.ts"
export {
  includedDocumentsPerMonth, type LicensedUse, licensedUseOf, licenseGate, licenseInForce, type LicenseRefusal, productionFiscalization
} from "../licensing/licenseGate.ts"
export {
  type ActiveElement, checkElementEnvironment, environmentGate, findPremise, type FoundPremise, premiseGate, type PremiseRefusal,
  withoutExpiredElement
} from "../tenancy/premiseGate.ts"
export { certificateWarning, certificateWarningDays, daysUntil } from "../tenancy/certificateWarning.ts"
export { type GuessingBrake, guessingBrakes, guessingPause, type GuessKey, remembered, type WrongGuesses } from "../people/guessingPause.ts"
export { mayDo, MemberRole, type Permission } from "../people/MemberRole.ts"
export { passwordFault, type PasswordFault, passwordLimits } from "../people/passwordFault.ts"
export { mostPasskeys, type NewPasskey, type Passkey, type PasskeySite, passkeySite } from "../people/Passkey.ts"
export { type Membership, type Person, type PortalSession, readEmail, type SessionStage, type SignInSecrets } from "../people/Person.ts"
export { isAlive, sessionLimits } from "../people/sessionLife.ts"
export type { PremiseForIssuing } from "../tenancy/PremiseForIssuing.ts"
export type { EnvironmentSettings } from "../tenancy/EnvironmentSettings.ts"
export type { CreatedPremise, CreatedTaxpayer, NewBusinessPremise, NewTaxpayer, RegistrationQuota } from "../tenancy/NewTaxpayer.ts"
export type { ElementFacts } from "../tenancy/ElementFacts.ts"
export { credentialKeyId, secretDigest } from "../tenancy/secretDigest.ts"
export type { Act, Activity } from "../activity/Activity.ts"
export { ActRefused } from "../activity/ActRefused.ts"
