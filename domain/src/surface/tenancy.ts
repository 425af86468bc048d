/** Who issues, where, under which licence; buyers and cashiers; people of the portal. */
export {
  includedDocumentsPerMonth, type License, type LicensedUse, licensedUseOf, licenseGate, licenseInForce, type LicenseModule, type LicenseRefusal,
  productionFiscalization
} from "../licensing/licenseGate.ts"
export { LicenseExpired, LicenseNotStarted, LicenseRequired, LicenseSuspended, ModuleNotLicensed } from "../licensing/errors.ts"
export { Buyer, BuyerDetails, Cashier } from "../parties/Buyer.ts"
export {
  buyerIdFault, buyerIdPattern, buyerIdPrefixes, corporateCardPrefix, isCorporateCard, optionalFieldFault, optionalFieldPrefixes
} from "../parties/BuyerId.ts"
export { digitExpectedInBuyerId, digitExpectedInTaxIdentifier, hasRightCheckDigit } from "../parties/digitExpectedInTaxIdentifier.ts"
export { registerTaxIdentifier } from "../parties/registerTaxIdentifier.ts"
export {
  BusinessPremise, CommerceMode, type CreatedPremise, type CreatedTaxpayer, type NewBusinessPremise, type NewTaxpayer, PaperFormat, PaymentMode,
  type PremiseForIssuing, PremiseStatus, type RegistrationQuota, Taxpayer, VatStatus
} from "../tenancy/Taxpayer.ts"
export { type Caller, GrantableScope, managementScope, OwnScope, Scope, type Tenant, webhookScope } from "../tenancy/Caller.ts"
export { Environment, type EnvironmentSettings } from "../tenancy/Environment.ts"
export { certificateWarning, certificateWarningDays, daysUntil, type ElementFacts, SecurityElement } from "../tenancy/SecurityElement.ts"
export {
  ActiveSecurityElementRequired, BusinessPremiseInactive, BusinessPremiseNotFound, CredentialEnvironmentMismatch,
  CredentialEnvironmentRequired, LpfrRequiredForInPersonSales, RegistrationsPaused, takenIdentifiers, TaxpayerAlreadyExists, TaxpayerNotFound
} from "../tenancy/errors.ts"
export { BusinessPremiseId, FiscalDocumentId, OrganizationId, SecurityElementId, TaxpayerId, WorkflowId } from "../tenancy/identifiers.ts"
export {
  type ActiveElement, checkElementEnvironment, environmentGate, findPremise, type FoundPremise, premiseGate, type PremiseRefusal,
  withoutExpiredElement
} from "../tenancy/premiseGate.ts"
export { type SignInThrottle, signInThrottles, guessingPause, type GuessKey, remembered, type WrongGuesses } from "../people/guessingPause.ts"
export { type Invited, invitationHours, invitationLink, invitationMail, roleTexts } from "../people/invitationMail.ts"
export { plainLine, securityMail, type SecurityEvent } from "../people/securityMail.ts"
export { mayDo, MemberRole, type Permission } from "../people/MemberRole.ts"
export { readCashierName } from "../people/cashierName.ts"
export { groupedRecoveryCode, readRecoveryCode, recoveryCodeCharacters, recoveryCodeCount, recoveryCodeLength } from "../people/recoveryCodes.ts"
export { type PasswordContext, passwordFault, type PasswordFault, passwordLimits } from "../people/passwordFault.ts"
export { mostPasskeys, type NewPasskey, type Passkey, type PasskeySite, passkeySite } from "../people/Passkey.ts"
export { type Membership, type Person, type PortalSession, readEmail, type SessionStage, type SignInSecrets } from "../people/Person.ts"
export { isAlive, sessionLimits } from "../people/sessionLife.ts"
export { credentialKeyId, secretDigest } from "../tenancy/secretDigest.ts"
export { type Act, type Activity, ActRefused, type Operator, operatorOf, type OperatorsDeed } from "../activity/Activity.ts"
