import { Schema } from "effect"
import { Environment } from "./Environment.ts"

/** Source of all: Spec, Errors, Catalogue. */
export class TaxpayerNotFound
  extends Schema.TaggedError<TaxpayerNotFound>()("TaxpayerNotFound", { taxpayerId: Schema.String })
{
  readonly code = "TAXPAYER_NOT_FOUND"
}

export class BusinessPremiseNotFound
  extends Schema.TaggedError<BusinessPremiseNotFound>()("BusinessPremiseNotFound", { businessPremiseId: Schema.String })
{
  readonly code = "BUSINESS_PREMISE_NOT_FOUND"
}

/** The premise's active element belongs to the other environment than the credential: a fault of the setup (Decisions §2, step 6). */
export class CredentialEnvironmentMismatch
  extends Schema.TaggedError<CredentialEnvironmentMismatch>()("CredentialEnvironmentMismatch", {
    credentialEnvironment: Environment,
    elementEnvironment: Environment
  })
{
  readonly code = "CREDENTIAL_ENVIRONMENT_MISMATCH"
}

export class CredentialEnvironmentRequired
  extends Schema.TaggedError<CredentialEnvironmentRequired>()("CredentialEnvironmentRequired", {})
{
  readonly code = "CREDENTIAL_ENVIRONMENT_REQUIRED"
}

/** The premise sells in person, which requires a local fiscal processor. */
export class LpfrRequiredForInPersonSales
  extends Schema.TaggedError<LpfrRequiredForInPersonSales>()("LpfrRequiredForInPersonSales", {
    businessPremiseId: Schema.String
  })
{
  readonly code = "LPFR_REQUIRED_FOR_IN_PERSON_SALES"
}

export class BusinessPremiseInactive
  extends Schema.TaggedError<BusinessPremiseInactive>()("BusinessPremiseInactive", {
    businessPremiseId: Schema.String,
    status: Schema.Literals(["suspended", "closed"])
  })
{
  readonly code = "BUSINESS_PREMISE_INACTIVE"
}

export class ActiveSecurityElementRequired
  extends Schema.TaggedError<ActiveSecurityElementRequired>()("ActiveSecurityElementRequired", {
    businessPremiseId: Schema.String
  })
{
  readonly code = "ACTIVE_SECURITY_ELEMENT_REQUIRED"
}

/** The tax identifier is taken in this environment; the answer does not say by whom (Decisions §5). */
export class TaxpayerAlreadyExists
  extends Schema.TaggedError<TaxpayerAlreadyExists>()("TaxpayerAlreadyExists", { taxIdentifier: Schema.String })
{
  readonly code = "TAXPAYER_ALREADY_EXISTS"
}

/** How often a day an organization is told that a tax identifier is another organization's. Source: docs/adr/0280. */
export const takenIdentifiers = { most: 10, withinMillis: 86_400_000 } as const

/** The organization was told too often that another one has a tax identifier; nothing was looked up and nothing registered. */
export class RegistrationsPaused
  extends Schema.TaggedError<RegistrationsPaused>()("RegistrationsPaused", { retryAfterSeconds: Schema.Int })
{
  readonly code = "RATE_LIMITED"
}
