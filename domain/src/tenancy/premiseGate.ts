import { DateTime, Option, Result } from "effect"
import { PfrEnvironmentDisabled, PfrSandboxNotConfigured, RestoreInProgress } from "../documents/errors.ts"
import type { PaymentModeCheck } from "../documents/composeContent.ts"
import type { BusinessPremise, PremiseForIssuing } from "./Taxpayer.ts"
import type { Environment, EnvironmentSettings } from "./Environment.ts"
import {
  ActiveSecurityElementRequired, BusinessPremiseInactive, BusinessPremiseNotFound, CredentialEnvironmentMismatch, LpfrRequiredForInPersonSales,
  TaxpayerNotFound
} from "./errors.ts"
import type { BusinessPremiseId, TaxpayerId } from "./identifiers.ts"

/**
 * Steps 8a and 8b of the order of checks: the adapter is configured; traffic is on, and production has its ESIR number, without which a receipt would
 * lack what the law requires on it (Decisions §2). While a restore is declared nothing is issued at all (Decisions §15).
 */
export const environmentGate = (
  settings: Pick<EnvironmentSettings, "adapterConfigured" | "restoring" | "trafficEnabled" | "esirNumber">,
  environment: Environment
): Result.Result<void, PfrSandboxNotConfigured | RestoreInProgress | PfrEnvironmentDisabled> => {
  if (!settings.adapterConfigured) return Result.fail(new PfrSandboxNotConfigured({}))
  if (settings.restoring) return Result.fail(new RestoreInProgress({}))
  const lacksEsirNumber = environment === "production" && settings.esirNumber === ""
  return settings.trafficEnabled && !lacksEsirNumber ? Result.void : Result.fail(new PfrEnvironmentDisabled({}))
}

/** Taxpayer and premise as found for the caller; the premise exists. */
export interface FoundPremise extends PremiseForIssuing {
  readonly premise: BusinessPremise
}

export type ActiveElement = NonNullable<PremiseForIssuing["activeElement"]>

/** Step 5 of the order of checks: the taxpayer, then the premise; ids of another environment are answered as not found (Decisions §2). */
export const findPremise = (
  found: Option.Option<PremiseForIssuing>,
  asked: { readonly taxpayerId: TaxpayerId; readonly businessPremiseId: BusinessPremiseId }
): Result.Result<FoundPremise, TaxpayerNotFound | BusinessPremiseNotFound> => {
  if (Option.isNone(found)) return Result.fail(new TaxpayerNotFound({ taxpayerId: asked.taxpayerId }))
  const { premise } = found.value
  return premise === null
    ? Result.fail(new BusinessPremiseNotFound({ businessPremiseId: asked.businessPremiseId }))
    : Result.succeed({ ...found.value, premise })
}

/** Step 6: an active element of the other environment than the credential's is a fault of the setup (Decisions §2). */
export const checkElementEnvironment = (
  found: Pick<PremiseForIssuing, "activeElement">,
  environment: Environment
): Result.Result<void, CredentialEnvironmentMismatch> =>
  found.activeElement === null || found.activeElement.environment === environment
    ? Result.void
    : Result.fail(
      new CredentialEnvironmentMismatch({
        credentialEnvironment: environment,
        elementEnvironment: found.activeElement.environment
      })
    )

/**
 * The premise as it may be used now. An element whose certificate has expired signs nothing, so the premise then has no active element and is refused
 * before anything is reserved. A certificate that expires between this check and the submission is noticed when the element is opened.
 */
export const withoutExpiredElement = (found: FoundPremise, now: DateTime.Utc): FoundPremise =>
  found.activeElement !== null && DateTime.isLessThanOrEqualTo(found.activeElement.validTo, now)
    ? { ...found, activeElement: null }
    : found

export type PremiseRefusal = LpfrRequiredForInPersonSales | BusinessPremiseInactive | ActiveSecurityElementRequired

/** Step 8: distance commerce, active, payment mode, active element; the first that fails is the refusal (Decisions §2). */
export const premiseGate = <E>(
  found: Pick<FoundPremise, "premise" | "activeElement">,
  checkPaymentMode: PaymentModeCheck<E>
): Result.Result<ActiveElement, PremiseRefusal | E> => {
  const { premise, activeElement } = found
  const businessPremiseId = premise.id
  if (premise.commerceMode !== "distance") return Result.fail(new LpfrRequiredForInPersonSales({ businessPremiseId }))
  if (premise.status !== "active") {
    return Result.fail(new BusinessPremiseInactive({ businessPremiseId, status: premise.status }))
  }
  return Result.flatMap(checkPaymentMode(premise.paymentMode), (): Result.Result<ActiveElement, ActiveSecurityElementRequired> =>
    activeElement === null
      ? Result.fail(new ActiveSecurityElementRequired({ businessPremiseId }))
      : Result.succeed(activeElement))
}
